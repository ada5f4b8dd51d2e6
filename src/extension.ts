/** The entry point in a VS Code window: puts the layers together, and takes them apart within the time that VS Code gives. */
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { EnvironmentManager } from './environment/environmentManager';
import { LocalBackend } from './process/localBackend';
import { SessionManager } from './session/sessionManager';
import { SpoolFolder } from './session/log/spool';
import { publishActiveSession } from './vscode/activeSession';
import { createAgentAccess } from './vscode/agentAccess';
import { BuiltInTerminal } from './vscode/builtInTerminal';
import { createChannelLog } from './vscode/channelLog';
import { ChatTools } from './vscode/chatTools';
import { registerCommands } from './vscode/commands';
import { HiddenInputPrompt } from './vscode/hiddenInputPrompt';
import { Persistence } from './vscode/persistence/persistence';
import { createEnvironments } from './vscode/environments/createEnvironments';
import { presentEnvironments } from './vscode/environments/presentEnvironments';
import { ReachedServers } from './vscode/mcpServers/reachedServers';
import { endedTabClosingSetting, revealModeSetting, sessionSettings, spoolBudgetSetting } from './vscode/settings';
import { PathLinks } from './vscode/files/pathLinks';
import { TranscriptDocuments } from './vscode/output/transcriptDocuments';
import { SessionTabs } from './vscode/terminal/sessionTabs';
import { StatusItem } from './vscode/statusItem';
import { whenTrusted } from './vscode/trust';
import { WindowAttachment } from './vscode/windowAttachment';
import { firstFolder, firstFolderOf } from './vscode/workspaceFolders';
import { SessionsView } from './vscode/view/sessionsView';

/** What must be gone before the window may end its extension host. */
interface Running {
  readonly manager: SessionManager;
  readonly environments: EnvironmentManager;
  readonly mcpServers: ReachedServers;
  readonly spoolFolder: SpoolFolder;
  readonly attachment: WindowAttachment;
  readonly persistence: Persistence;
  chatTools: ChatTools | undefined;
}

let running: Running | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const channel = vscode.window.createOutputChannel('Exec Sessions', { log: true });
  const log = createChannelLog(channel);
  const spoolFolder = new SpoolFolder(tmpdir(), spoolBudgetSetting);
  const persistence = new Persistence(context, log);
  // Before all that tells of the tools when settings change.
  const environments = createEnvironments(context, persistence.backend(new LocalBackend()), log);
  const manager = new SessionManager({
    spoolFolder,
    environments,
    log,
    isAttended: true,
    defaultCwd: firstFolder,
    remoteCwd: firstFolderOf,
    ...sessionSettings(log),
  });
  const mcpServers = new ReachedServers({ environments, log, localCwd: firstFolder });
  const tabs = new SessionTabs({ manager, log, revealMode: revealModeSetting, endedTabClosing: endedTabClosingSetting });
  const transcripts = new TranscriptDocuments(manager, context.workspaceState);
  const builtInTerminal = new BuiltInTerminal(context, log);
  const agentAccess = { ...createAgentAccess({ manager, environments, log }), mcpServers: mcpServers.servers };
  const attachment = new WindowAttachment({ context, ...agentAccess });
  const current: Running = { manager, environments, mcpServers, spoolFolder, attachment, persistence, chatTools: undefined };
  running = current;
  context.subscriptions.push(
    channel,
    tabs,
    transcripts,
    builtInTerminal,
    attachment,
    new SessionsView(manager),
    presentEnvironments({ environments, manager, channel, mcpServers }),
    new StatusItem(manager),
    new HiddenInputPrompt({ manager, tabs, revealMode: revealModeSetting }),
    publishActiveSession(manager, tabs),
    PathLinks.register(environments, tabs),
    registerCommands({ manager, tabs, transcripts, builtInTerminal, attachment }),
    persistence,
    whenTrusted(() => {
      // First what ran before: nobody should ask for it in vain.
      const restored = persistence.restore(manager).then((sessions) => {
        // Those of agents get their tabs by the same policy as new ones.
        for (const session of sessions) if (session.info.startedBy === 'user') tabs.reveal(session);
        void transcripts.restore(sessions);
        if (running === current) attachment.start();
      });
      const { version } = context.extension.packageJSON as { version: string };
      current.chatTools = new ChatTools(agentAccess, version, restored);
      context.subscriptions.push(current.chatTools);
    }),
  );
}

export async function deactivate(): Promise<void> {
  const ending = running;
  running = undefined;
  ending?.persistence.stopRemembering();
  await Promise.all([ending?.manager.shutDown(), ending?.chatTools?.close()]);
  // After the sessions: a call that still waits is told how its session ended.
  await Promise.all([ending?.attachment.close(), ending?.mcpServers.close()]);
  ending?.environments.dispose();
  ending?.spoolFolder.dispose();
}
