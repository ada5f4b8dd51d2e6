import type { Locator, Page } from 'playwright-core';
import { chooseFromMenu } from './chooseFromMenu';

/** The Exec Sessions view, as a person sees and uses it. */
export class SessionList {
  constructor(private readonly page: Page) {}

  /** The row of a session, with what it says beside the title where that is asked for. */
  row(title: string, words?: RegExp): Locator {
    const name = this.page.locator('.label-name').getByText(title, { exact: true });
    const rows = this.pane().locator('.monaco-list-row').filter({ has: name });
    if (words === undefined) return rows.first();
    return rows.filter({ has: this.page.locator('.label-description').getByText(words) }).first();
  }

  /** The name of the codicon of a row. */
  async icon(title: string): Promise<string | undefined> {
    const classes = await this.row(title).locator('.custom-view-tree-node-item-icon').getAttribute('class');
    return /\bcodicon-(?!modifier)([\w-]+)/.exec(classes ?? '')?.[1];
  }

  /** Presses one of the buttons that a row shows when it is pointed at. */
  async press(title: string, button: string): Promise<void> {
    await this.row(title).hover();
    await this.row(title).getByRole('button', { name: button }).click();
  }

  /** Chooses from the menu of a row. */
  async menu(title: string, command: string): Promise<void> {
    await this.row(title).click({ button: 'right' });
    await chooseFromMenu(this.page, command);
  }

  /** Gives the view the room of the files above it. */
  async enlarge(): Promise<void> {
    const header = this.page.locator('.pane-header').filter({ hasText: 'workspace' }).first();
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
    const own = this.page.locator('.pane-header').filter({ hasText: 'Exec Sessions' });
    if ((await own.getAttribute('aria-expanded')) !== 'true') await own.click();
  }

  welcome(): Locator {
    return this.page.locator('.welcome-view-content').filter({ hasText: 'New Shared Shell' });
  }

  private pane(): Locator {
    return this.page.locator('.pane').filter({ has: this.page.locator('.pane-header', { hasText: 'Exec Sessions' }) });
  }
}
