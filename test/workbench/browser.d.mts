import type { Browser, Page } from 'playwright-core';

export function launchBrowser(): Promise<Browser>;
export function openWorkbench(browser: Browser, url: string, options?: { isChatEnabled?: boolean }): Promise<Page>;
export function waitUntilDrawn(page: Page): Promise<void>;
export function terminalText(page: Page): Promise<string>;
