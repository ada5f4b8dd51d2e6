import type { Locator, Page } from 'playwright-core';
import { chooseFromMenu } from './chooseFromMenu';

/** The Exec Environments view, as a person sees and uses it. */
export class EnvironmentList {
  constructor(private readonly page: Page) {}

  pane(): Locator {
    return this.page.locator('.pane').filter({ has: this.page.locator('.pane-header', { hasText: 'Exec Environments' }) });
  }

  /** The row of an environment, with exactly these words beside its id where they are given. */
  row(id: string, words?: string | RegExp): Locator {
    const name = this.page.locator('.label-name').getByText(id, { exact: true });
    const rows = this.pane().locator('.monaco-list-row').filter({ has: name });
    if (words === undefined) return rows.first();
    const description = this.page.locator('.label-description').getByText(words, { exact: true });
    return rows.filter({ has: description }).first();
  }

  /** Presses one of the buttons that a row shows when it is pointed at. */
  async press(id: string, button: string): Promise<void> {
    await this.row(id).hover();
    await this.row(id).getByRole('button', { name: button }).click();
  }

  /** Chooses from the menu of a row. */
  async menu(id: string, command: string): Promise<void> {
    await this.row(id).click({ button: 'right' });
    await chooseFromMenu(this.page, command);
  }
}
