import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../workbench/browser.mjs';
import { type CodeServer, startCodeServer } from '../../workbench/codeServer.mjs';
import { packageDriver } from '../../workbench/packageDriver.mjs';
import { productVsixPath } from '../../workbench/product.mjs';
import { ExtensionHost } from './extensionHost';
import { type ScriptedModel, startScriptedModel } from './scriptedModel';
import { WorkbenchPage } from './workbenchPage';

export interface EditorHostOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether the workspace is not trusted until somebody says so. */
  readonly startsRestricted?: boolean;
  /** Files of the workspace: their text by their path in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** The same for the user's home folder. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  /** Environment variables of the extension host. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * A VS Code workbench with the packaged extension, one open window, and a scripted model in its chat.
 * Nothing of the user's is used: home folder, settings, extensions, browser profile and workspace are new and temporary.
 */
export interface EditorHost {
  readonly server: CodeServer;
  readonly browser: Browser;
  readonly window: WorkbenchPage;
  readonly model: ScriptedModel;
  readonly extensionHost: ExtensionHost;
  /** Short for `extensionHost.evaluate`. */
  readonly evaluate: ExtensionHost['evaluate'];
  /** Reloads the window and waits until its new extension host answers. */
  reloadWindow(): Promise<void>;
  stop(): Promise<void>;
}

export async function startEditorHost(options: EditorHostOptions = {}): Promise<EditorHost> {
  const { settings = {}, env = {}, files = {}, homeFiles = {}, startsRestricted = false } = options;
  const vsixFile = productVsixPath();
  if (!existsSync(vsixFile)) throw new Error(`There is no ${vsixFile}: run "npm run package" first.`);

  const releases: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const release of releases.splice(0).reverse()) await release();
  };
  try {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-editor-'));
    releases.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const model = await startScriptedModel();
    releases.push(model.close);
    const driverFile = path.join(dataDir, 'driver.json');
    writeFiles(path.join(dataDir, 'workspace'), files);
    writeFiles(path.join(dataDir, 'home'), homeFiles);
    const server = await startCodeServer({
      dataDir,
      vsixFiles: [vsixFile, await packageDriver(dataDir)],
      // Without this the chat covers its input with an offer to choose a second model.
      settings: { 'chat.byokUtilityModelDefault': 'mainAgent', ...settings },
      chatModels: [model.chatModel],
      startsRestricted,
      env: { ...homeEnv(dataDir), EXEC_SESSIONS_DRIVER_FILE: driverFile, ...env },
    });
    releases.push(server.stop);
    const browser = await launchBrowser();
    releases.push(() => browser.close());
    const window = await WorkbenchPage.open(browser, server.url);
    const extensionHost = new ExtensionHost(driverFile);
    await extensionHost.pid();
    return {
      server,
      browser,
      window,
      model,
      extensionHost,
      evaluate: extensionHost.evaluate.bind(extensionHost),
      reloadWindow: async () => {
        await extensionHost.expectNew();
        await window.reload();
        await extensionHost.pid();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * A home of its own: the start-up files of the user's shell would make output differ from machine to machine. And command lines
 * that look for a window of the user do not find this one.
 */
function homeEnv(dataDir: string): Record<string, string | undefined> {
  const home = path.join(dataDir, 'home');
  mkdirSync(home, { recursive: true });
  const xdg = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'].map((name) => [name, undefined]);
  return {
    HOME: home,
    EXEC_SESSIONS_RUNTIME_DIR: path.join(dataDir, 'run'),
    ...(Object.fromEntries(xdg) as Record<string, undefined>),
  };
}
