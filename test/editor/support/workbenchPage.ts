import type { Browser, Locator, Page } from 'playwright-core';
import { artifactPath } from '../../workbench/artifacts.mjs';
import { openWorkbench, terminalText, waitUntilDrawn } from '../../workbench/browser.mjs';
import { until } from '../../support/until';
import { ChatPanel } from './chatPanel';
import { waitForMatch } from './waitForMatch';

/** For what the workbench does on its own machine once it runs; a busy machine needs seconds for a click. */
export const STEP_TIMEOUT_MS = 60_000;
const PALETTE_TIMEOUT_MS = 5_000;

/** One window of the workbench, as a person sees and uses it. */
export class WorkbenchPage {
  readonly chat: ChatPanel;

  private constructor(readonly page: Page) {
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    this.chat = new ChatPanel(page);
  }

  /** Opens a window in a browser profile of its own, with the bundled chat enabled. */
  static async open(browser: Browser, url: string): Promise<WorkbenchPage> {
    return new WorkbenchPage(await openWorkbench(browser, url, { isChatEnabled: true }));
  }

  /** Runs a command from the command palette by its full title, such as `Terminal: Focus Terminal`. */
  async runCommand(title: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget .quick-input-box input').first();
    // The palette closes when something else takes the focus, such as an editor or terminal that has just been opened.
    await until(
      'the command palette is open',
      async () => {
        await this.page.keyboard.press('F1');
        return input.fill(`>${title}`, { timeout: PALETTE_TIMEOUT_MS }).then(
          () => true,
          () => undefined,
        );
      },
      STEP_TIMEOUT_MS,
    );
    await this.pick(title);
  }

  /** What the open quick pick offers, one text for each row. */
  async quickPickRows(): Promise<string[]> {
    return this.page.locator('.quick-input-list .monaco-list-row').allInnerTexts();
  }

  /** Chooses the row with exactly this label in the open quick pick. */
  async pick(label: string): Promise<void> {
    const name = this.page.locator('.label-name').getByText(label, { exact: true });
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first().click();
  }

  /** What the active terminal shows, as lines without trailing blanks. Empty if no terminal is open. */
  async terminalText(): Promise<string> {
    return terminalText(this.page);
  }

  async waitForTerminalText(pattern: RegExp, timeoutMs = STEP_TIMEOUT_MS): Promise<RegExpExecArray> {
    return waitForMatch('in the terminal', pattern, { read: () => this.terminalText(), timeoutMs });
  }

  /** Types into the active terminal, key by key; `\n` is the Enter key. */
  async typeInTerminal(text: string): Promise<void> {
    await this.page.locator('.terminal-wrapper.active .xterm').click();
    await this.page.keyboard.type(text);
  }

  /** Texts of the notifications that are shown now. */
  async notifications(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  }

  /** The modal dialog that is shown, to read its text or press its buttons. */
  dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Reloads the window by its command, as a user does after an update, and waits until it is drawn again. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await waitUntilDrawn(this.page);
  }

  /** Keeps a picture of the window for people to look at; returns its path. */
  async screenshot(name: string): Promise<string> {
    const path = artifactPath(`${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
