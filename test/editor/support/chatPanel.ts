import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until';
import { waitForMatch } from './waitForMatch';

/** From a message to what it leads to: the agent loop, the start of an MCP server, a tool and the model's answer. */
const ANSWER_TIMEOUT_MS = 90_000;

/** The chat of a window, used with mouse and keyboard. */
export class ChatPanel {
  constructor(private readonly page: Page) {}

  /** The chat offers models some seconds after the window has opened; without one it would ask to sign in. */
  async waitForModel(name: string): Promise<void> {
    await this.inputPart().getByText(name).first().waitFor({ timeout: ANSWER_TIMEOUT_MS });
  }

  /** Sends a message; returns once the chat has taken it. */
  async send(text: string): Promise<void> {
    await this.editor().click();
    await this.page.keyboard.insertText(text);
    await this.submit();
  }

  /** Sends what stands in the input; returns once the chat has taken it. */
  async submit(): Promise<void> {
    const editor = this.editor();
    // The key is taken for a line break as long as the panel has not noticed the text.
    await this.inputPart().locator('.chat-submit-button:not(.disabled)').waitFor();
    await this.page.keyboard.press('Enter');
    // The conversation itself is no sign: only the part of it that fits on the screen is drawn.
    const isTaken = async (): Promise<boolean> => (await editor.locator('.view-lines').innerText()).trim() === '';
    await until('the chat has taken the message', isTaken, ANSWER_TIMEOUT_MS);
  }

  /** The conversation: one text for each message and each answer. */
  async items(): Promise<string[]> {
    return this.page.locator('.interactive-item-container').allInnerTexts();
  }

  async waitForText(pattern: RegExp, timeoutMs = ANSWER_TIMEOUT_MS): Promise<RegExpExecArray> {
    return waitForMatch('in the chat', pattern, { read: async () => (await this.items()).join('\n'), timeoutMs });
  }

  /** Waits until the chat asks whether a tool may run, and returns what it shows about the call. */
  async waitForConfirmation(): Promise<string> {
    await this.button(ALLOW).waitFor({ timeout: ANSWER_TIMEOUT_MS });
    return this.page.locator(CONFIRMATION).last().innerText();
  }

  async approve(): Promise<void> {
    await this.button(ALLOW).click({ timeout: ANSWER_TIMEOUT_MS });
  }

  async skip(): Promise<void> {
    await this.button(SKIP).click({ timeout: ANSWER_TIMEOUT_MS });
  }

  private editor(): Locator {
    return this.inputPart().locator('.monaco-editor').first();
  }

  private inputPart(): Locator {
    return this.page.locator('.interactive-input-part');
  }

  private button(label: RegExp): Locator {
    return this.page.locator('.interactive-item-container .monaco-button').filter({ hasText: label }).last();
  }
}

const ALLOW = /^Allow/;
const SKIP = /^Skip/;
/** The name differs with the kind of confirmation. */
const CONFIRMATION = '.interactive-item-container :is(.chat-confirmation-widget, .chat-confirmation-widget2)';
