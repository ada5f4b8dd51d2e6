/** The entry point in a VS Code window: puts the layers together, and takes them apart within the time that VS Code gives. */
import { homedir, tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from './base/disposable';
import { type McpHttpHost, startMcpHttpHost } from './mcp/httpHost';
import { LocalBackend } from './process/localBackend';
import { SessionManager } from './session/sessionManager';
import { SpoolFolder } from './session/log/spool';
import { publishActiveSession } from './vscode/activeSession';
import { BuiltInTerminal } from './vscode/builtInTerminal';
import { createChannelLog } from './vscode/channelLog';
import { registerCommands } from './vscode/commands';
import { HiddenInputPrompt } from './vscode/hiddenInputPrompt';
import { type McpPublicationOptions, publishMcpServer } from './vscode/mcpPublication';
import {
  agentPagersSetting,
  defaultShellSetting,
  endedTabClosingSetting,
  redactSecretsSetting,
  revealModeSetting,
  shellEnvironmentSetting,
  spoolBudgetSetting,
  tellTypedTextSetting,
} from './vscode/settings';
import { TranscriptDocuments } from './vscode/output/transcriptDocuments';
import { SessionTabs } from './vscode/terminal/sessionTabs';
import { publishedTools } from './vscode/publishedTools';
import { StatusItem } from './vscode/statusItem';
import { onDidChangeTools } from './vscode/toolChanges';
import { toolListVersion } from './vscode/toolListVersion';
import { whenTrusted } from './vscode/trust';
import { WindowAttachment } from './vscode/windowAttachment';
import { SessionsView } from './vscode/view/sessionsView';

/** What must be gone before the window may end its extension host. */
interface Running {
  readonly manager: SessionManager;
  readonly spoolFolder: SpoolFolder;
  readonly attachment: WindowAttachment;
  host: Promise<McpHttpHost> | undefined;
}

let running: Running | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const channel = vscode.window.createOutputChannel('Exec Sessions', { log: true });
  const log = createChannelLog(channel);
  const spoolFolder = new SpoolFolder(tmpdir(), spoolBudgetSetting);
  const manager = new SessionManager({
    spoolFolder,
    backend: new LocalBackend(),
    log,
    isAttended: true,
    defaultCwd: firstFolder,
    defaultShell: defaultShellSetting,
    hasAgentPagers: agentPagersSetting,
    environmentPolicy: () => shellEnvironmentSetting(log),
  });
  const tabs = new SessionTabs({ manager, log, revealMode: revealModeSetting, endedTabClosing: endedTabClosingSetting });
  const transcripts = new TranscriptDocuments(manager);
  const builtInTerminal = new BuiltInTerminal(context, log);
  const agentAccess = {
    manager,
    log,
    isRedacting: redactSecretsSetting,
    tellsTypedText: tellTypedTextSetting,
    onDidChangeTools,
  };
  const attachment = new WindowAttachment({ context, ...agentAccess });
  const current: Running = { manager, spoolFolder, attachment, host: undefined };
  running = current;
  context.subscriptions.push(
    channel,
    tabs,
    transcripts,
    builtInTerminal,
    attachment,
    new SessionsView(manager),
    new StatusItem(manager),
    new HiddenInputPrompt({ manager, tabs, revealMode: revealModeSetting }),
    publishActiveSession(manager, tabs),
    registerCommands({ manager, tabs, transcripts, builtInTerminal, launcher: () => attachment.writeLauncher() }),
    whenTrusted(() => {
      attachment.start();
      current.host = startMcpHttpHost({ ...agentAccess, starter: 'chat' });
      const { version } = context.extension.packageJSON as { version: string };
      const publication = publishOnce(current.host, {
        version: () => toolListVersion(version, publishedTools(manager)),
        log,
      });
      context.subscriptions.push(publication);
    }),
  );
}

export async function deactivate(): Promise<void> {
  const ending = running;
  running = undefined;
  // That a host could not start was logged then; there is nothing to close.
  const closing = ending?.host?.then(
    (host) => host.close(),
    () => undefined,
  );
  await Promise.all([ending?.manager.shutDown(), closing]);
  // After the sessions: a call that still waits is told how its session ended.
  await ending?.attachment.close();
  ending?.spoolFolder.dispose();
}

/** Publishes the server once it listens; what is disposed before that is never published. */
function publishOnce(starting: Promise<McpHttpHost>, options: Omit<McpPublicationOptions, 'host'>): Disposable {
  const store = new DisposableStore();
  starting.then(
    (host) => store.add(publishMcpServer({ host, ...options })),
    (error: unknown) => options.log.error('The MCP server could not start: chats cannot use Exec Sessions', error),
  );
  return store;
}

/** Where sessions start: in the first folder of the workspace that is on this machine. */
function firstFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder?.uri.fsPath ?? homedir();
}
