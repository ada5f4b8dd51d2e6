import * as vscode from 'vscode';
import { Session } from '../session/session';
import type { SessionManager } from '../session/sessionManager';
import { connectAgent } from './agents/connectAgent';
import { copyExecServerConnection } from './agents/copyExecServerConnection';
import type { BuiltInTerminal } from './builtInTerminal';
import { COMMANDS } from './contributions';
import { copyOutput } from './output/copyOutput';
import { saveAsciicast } from './output/saveAsciicast';
import type { TranscriptDocuments } from './output/transcriptDocuments';
import { pickSession } from './pickSession';
import { restartSession } from './restartSession';
import { startSharedShell } from './sharedShell';
import type { SessionTabs } from './terminal/sessionTabs';
import { requireTrust } from './trust';
import type { WindowAttachment } from './windowAttachment';

export interface CommandTargets {
  readonly manager: SessionManager;
  readonly tabs: SessionTabs;
  readonly transcripts: TranscriptDocuments;
  readonly builtInTerminal: BuiltInTerminal;
  readonly attachment: WindowAttachment;
}

type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Registers every command of the manifest. */
export function registerCommands(targets: CommandTargets): vscode.Disposable {
  const { manager, tabs, transcripts, builtInTerminal, attachment } = targets;
  const { l10n } = vscode;
  /** A command about one session, which is named by its caller or picked by the user. */
  const about =
    (title: string, run: (session: Session) => unknown, filter: (session: Session) => boolean = () => true) =>
    async (argument: unknown): Promise<void> => {
      const session = await pickSession(manager, argument, { title, filter });
      if (session !== undefined) await run(session);
    };
  /** The same, where the caller that names none means the session in the active terminal, if that is one of `filter`. */
  const aboutActive = (title: string, run: (session: Session) => unknown, filter: (session: Session) => boolean) => {
    const handler = about(title, run, filter);
    return (argument: unknown): Promise<void> => {
      const active = tabs.activeSession();
      const isNamed = argument instanceof Session || typeof argument === 'number';
      return handler(!isNamed && active !== undefined && filter(active) ? active : argument);
    };
  };
  const handlers: Record<CommandId, (argument: unknown) => Promise<void>> = {
    [COMMANDS.newSharedShell]: async (argument) => {
      if (await requireTrust()) await startSharedShell(targets, argument);
    },
    [COMMANDS.connectAgent]: () => connectAgent(() => attachment.writeLauncher()),
    [COMMANDS.copyExecServerConnection]: () => copyExecServerConnection(attachment),
    [COMMANDS.focusSession]: about(l10n.t('Focus Session'), (session) => tabs.focus(session)),
    [COMMANDS.revealSession]: about(l10n.t('Reveal in Terminal'), (session) => tabs.reveal(session)),
    [COMMANDS.openTranscript]: about(l10n.t('Open Transcript'), (session) => transcripts.open(session)),
    [COMMANDS.copyOutput]: about(l10n.t('Copy Output'), copyOutput),
    [COMMANDS.saveAsciicast]: about(l10n.t('Save as Asciicast'), saveAsciicast),
    [COMMANDS.restartSession]: about(l10n.t('Restart Session'), (session) => restart(targets, session)),
    [COMMANDS.takeOver]: aboutActive(l10n.t('Take Over Session'), (session) => takeOver(targets, session), isShared),
    [COMMANDS.giveBack]: aboutActive(l10n.t('Give Back Session'), (session) => session.giveBack(), isHeld),
    [COMMANDS.terminateSession]: about(l10n.t('Terminate Session'), (session) => session.terminate('user'), isRunning),
    [COMMANDS.turnOffBuiltInTerminal]: () => builtInTerminal.turn(false),
    [COMMANDS.turnOnBuiltInTerminal]: () => builtInTerminal.turn(true),
  };
  const registrations = Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, handler));
  return vscode.Disposable.from(...registrations);
}

const isRunning = ({ state }: Session): boolean => state.kind === 'running';

const isShared = (session: Session): boolean => isRunning(session) && session.holder === 'shared';
const isHeld = ({ holder }: Session): boolean => holder === 'user';

/** Whoever takes a session over is about to type. */
function takeOver({ tabs }: CommandTargets, session: Session): void {
  session.takeOver();
  tabs.focus(session);
}

async function restart({ manager, tabs }: CommandTargets, session: Session): Promise<void> {
  const restarted = await restartSession(manager, session);
  if (restarted !== undefined) tabs.focus(restarted);
}
