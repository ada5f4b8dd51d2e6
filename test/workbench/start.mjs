/**
 * `npm start`: from a fresh clone to a window with the extension and a running session.
 * With `--check`, looks at that window with a headless browser, keeps a screenshot and ends: exit code 0 says that it works.
 * What is imported here needs nothing but Node.js; the rest is imported once it is installed.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { artifactPath } from './artifacts.mjs';
import { startCodeServer } from './codeServer.mjs';
import { cacheDir, installWorkbench } from './install.mjs';
import { packageDriver } from './packageDriver.mjs';
import { findOnPath, run } from './processes.mjs';
import { buildProduct, ensureDependencies } from './product.mjs';
import { until } from './until.mjs';

const DEMO_FOLDER = fileURLToPath(new URL('demo/', import.meta.url));
/** Printed in two parts, so that the line as a whole can only be output and never the command that was typed. */
const GREETING = ['You and an agent', 'share this terminal: type here.'];
const GREETING_COMMAND = `printf '%s %s\\n' '${GREETING[0]}' '${GREETING[1]}'`;
/** From an open page to the greeting: the extension host starts first, which takes up to 50 s on a busy machine. */
const GREETING_TIMEOUT_MS = 120_000;

/** The first line of the demo's README.md. */
const INTRODUCTION = 'Exec Sessions, live';
const INTRODUCTION_TIMEOUT_MS = 60_000;

const log = (line) => console.log(line);

async function main() {
  const isCheck = process.argv.includes('--check');
  await ensureDependencies({ log });
  const vsixFile = await buildProduct({ log });
  const code = findOnPath('code');
  if (code !== undefined && !isCheck) await openInDesktop(code, vsixFile);
  else await openInBrowser(vsixFile, isCheck);
}

async function openInDesktop(code, vsixFile) {
  log('Installing the extension in VS Code');
  await run(code, ['--install-extension', vsixFile, '--force']);
  const folder = path.join(cacheDir(), 'demo');
  mkdirSync(folder, { recursive: true });
  cpSync(DEMO_FOLDER, folder, { recursive: true });
  await run(code, [folder]);
  log('VS Code has opened with the extension: press F1, run "Exec Sessions: New Shared Shell" and type in its terminal.');
}

async function openInBrowser(vsixFile, isCheck) {
  await installWorkbench({ log, browser: isCheck });
  log('Starting a VS Code workbench with the extension');
  const server = await startDemoServer(vsixFile);
  try {
    if (isCheck) {
      await checkDemo(server.url);
      return;
    }
    log(`Open ${server.url} in a browser and type in the terminal of the shared shell. Ctrl-C here ends it all.`);
    await interrupted();
    log('\nStopping.');
  } finally {
    await server.stop();
  }
}

async function startDemoServer(vsixFile) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-demo-'));
  try {
    cpSync(DEMO_FOLDER, path.join(dataDir, 'workspace'), { recursive: true });
    return await startCodeServer({
      dataDir,
      vsixFiles: [vsixFile, await packageDriver(dataDir)],
      settings: { 'workbench.startupEditor': 'readme' },
      env: { EXEC_SESSIONS_DEMO_COMMAND: GREETING_COMMAND },
    });
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

async function checkDemo(url) {
  const { launchBrowser, openWorkbench, terminalText } = await import('./browser.mjs');
  const browser = await launchBrowser();
  const screenshot = artifactPath('start.png');
  try {
    const page = await openWorkbench(browser, url);
    try {
      const isGreeted = async () => (await terminalText(page)).split('\n').includes(GREETING.join(' '));
      await until('the greeting is in the terminal', isGreeted, GREETING_TIMEOUT_MS);
      await until('the introduction is drawn', () => isIntroduced(page), INTRODUCTION_TIMEOUT_MS);
    } finally {
      await page.screenshot({ path: screenshot });
    }
    log(`The demo works: its session shows the greeting (${screenshot}).`);
  } finally {
    await browser.close();
  }
}

/** The preview of README.md is a page within a page. */
async function isIntroduced(page) {
  const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()));
  return texts.some((text) => text.startsWith(INTRODUCTION));
}

function interrupted() {
  return new Promise((resolve) => {
    // Ctrl-C comes twice under npm, from the terminal and from npm: the listener stays, so that the second one is harmless.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
  });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof Error && error.cause !== undefined) console.error(error.cause);
  process.exitCode = 1;
}
