import { chromium } from 'playwright-core';
import { chromiumPath } from './install.mjs';

/** A cold workbench on a busy machine takes up to 50 s. */
const OPEN_TIMEOUT_MS = 120_000;
const VIEWPORT = { width: 1400, height: 900 };

/** A headless Chromium; the caller closes it. Its sandbox is off because containers and root cannot have it. */
export async function launchBrowser() {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('There is no Chromium: run "node test/workbench/install.mjs" first.');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

/**
 * Opens the workbench at `url` in a browser profile of its own and waits until it is drawn. With `isChatEnabled` the bundled
 * chat works without anybody having signed in.
 */
export async function openWorkbench(browser, url, { isChatEnabled = false } = {}) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  if (isChatEnabled) await enableChat(page, url);
  await page.goto(url, { timeout: OPEN_TIMEOUT_MS });
  await waitUntilDrawn(page);
  return page;
}

export async function waitUntilDrawn(page) {
  await page.locator('.monaco-workbench').waitFor({ timeout: OPEN_TIMEOUT_MS });
}

/** What the active terminal shows, as lines without trailing blanks. Empty if no terminal is open. */
export async function terminalText(page) {
  const rows = await page.locator('.terminal-wrapper.active .xterm-rows > div').allInnerTexts();
  return rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
}

/**
 * VS Code switches its bundled chat extension off once in each new profile, until somebody sets chat up. The profile lives in
 * the browser; this writes there, before the workbench first looks, that this has been done. Any page of the same origin
 * will do to write from.
 */
async function enableChat(page, url) {
  await page.goto(new URL('/healthz', url).href);
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = globalThis.indexedDB.open('vscode-web-state-db-global');
        opening.onupgradeneeded = () => opening.result.createObjectStore('ItemTable');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const transaction = database.transaction('ItemTable', 'readwrite');
          transaction.objectStore('ItemTable').put('true', 'builtinChatExtensionEnablementMigration');
          transaction.onabort = () => reject(transaction.error);
          transaction.oncomplete = () => {
            database.close();
            resolve();
          };
        };
      }),
  );
}
