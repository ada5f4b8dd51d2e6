import type { Page } from 'playwright-core';
import { until } from '../../support/until';

const CLICK_TIMEOUT_MS = 1_000;

/** Chooses from the context menu that is open. */
export async function chooseFromMenu(page: Page, command: string): Promise<void> {
  const item = page.locator('.context-view .monaco-menu .action-item').filter({ hasText: command });
  // A menu that has just opened does not take clicks yet.
  await until('the menu is gone', async () => {
    if ((await item.count()) === 0) return true;
    await item.click({ timeout: CLICK_TIMEOUT_MS }).catch(() => undefined);
    return (await item.count()) === 0;
  });
}
