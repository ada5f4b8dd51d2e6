import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until';

const TIMEOUT_MS = 30_000;
/** VS Code shows a tooltip after half a second, and none if the thing is drawn anew meanwhile. */
const PATIENCE_MS = 2_000;

/** Points at something, as a person does it again if nothing shows, until a tooltip with `text` is there; returns that. */
export async function tooltipOf(page: Page, thing: Locator, text: string): Promise<Locator> {
  const tooltip = page.locator('.workbench-hover').filter({ hasText: text });
  await until(
    `a tooltip with ${JSON.stringify(text)} is shown`,
    async () => {
      await page.mouse.move(0, 0);
      await thing.hover();
      return tooltip.waitFor({ timeout: PATIENCE_MS }).then(
        () => true,
        () => false,
      );
    },
    TIMEOUT_MS,
  );
  return tooltip;
}
