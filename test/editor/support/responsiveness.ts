import type { Page } from 'playwright-core';
import { until } from '../../support/until';

const KEY_TIMEOUT_MS = 60_000;
/** A fast typist. */
const KEY_INTERVAL_MS = 80;

/** What is used of the page: it is a browser, and these files are checked as what runs in Node.js. */
interface KeyScope {
  keyLatencies: number[];
  addEventListener(type: 'keydown', listener: (event: { timeStamp: number }) => void, isCapturing: boolean): void;
  readonly document: { querySelector(selector: string): unknown };
  readonly MutationObserver: new (note: () => void) => { observe(target: unknown, options: object): void };
}

interface FrameScope {
  frameGaps?: number[];
  requestAnimationFrame(next: () => void): void;
}

/** Begins to note the time between one frame of the window and the next; `stop` gives all of them, in milliseconds. */
export async function frameTimes(page: Page): Promise<{ stop(): Promise<number[]> }> {
  await page.evaluate(() => {
    const scope = globalThis as unknown as FrameScope;
    const gaps: number[] = [];
    scope.frameGaps = gaps;
    let last = performance.now();
    const note = (): void => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      if (scope.frameGaps === gaps) scope.requestAnimationFrame(note);
    };
    scope.requestAnimationFrame(note);
  });
  return {
    stop: () =>
      page.evaluate(() => {
        const scope = globalThis as unknown as FrameScope;
        const gaps = scope.frameGaps ?? [];
        delete scope.frameGaps;
        return gaps;
      }),
  };
}

/**
 * Types a text into the editor that has the focus, and returns how long each key took from its arrival in the window until the
 * editor drew something, in milliseconds.
 */
export async function keyLatencies(page: Page, text: string, isTyped: () => Promise<boolean>): Promise<number[]> {
  await page.evaluate(() => {
    const scope = globalThis as unknown as KeyScope;
    const latencies: number[] = [];
    const pressed: number[] = [];
    scope.keyLatencies = latencies;
    scope.addEventListener('keydown', ({ timeStamp }) => pressed.push(timeStamp), true);
    const drawn = new scope.MutationObserver(() => {
      const now = performance.now();
      latencies.push(...pressed.splice(0).map((pressedAt) => now - pressedAt));
    });
    const lines = scope.document.querySelector('.editor-instance .view-lines');
    drawn.observe(lines, { subtree: true, childList: true, characterData: true });
  });
  await page.keyboard.type(text, { delay: KEY_INTERVAL_MS });
  await until('the text is in the editor', isTyped, KEY_TIMEOUT_MS);
  return page.evaluate(() => (globalThis as unknown as KeyScope).keyLatencies);
}

/** A few figures for people, in whole milliseconds. */
export function summary(durationsMs: readonly number[]): { count: number; median: number; p95: number; longest: number } {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return { count: sorted.length, median: at(0.5), p95: at(0.95), longest: at(1) };
}
