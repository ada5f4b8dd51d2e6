import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { isElsewhere, type SessionInfo } from '../../session/sessionInfo';
import { starterWords, stateWords } from '../sessionWords';

/** As much of a command as a tooltip shows; a script of a megabyte is read in the transcript of whoever wrote it. */
const MAX_COMMAND_CHARS = 1_000;

/** All that is known of a session, for people who point at it. */
export function createSessionTooltip(session: Session): vscode.MarkdownString {
  const { command } = session.info;
  const tooltip = new vscode.MarkdownString();
  if (command !== undefined) {
    const isLong = command.length > MAX_COMMAND_CHARS;
    tooltip.appendCodeblock(isLong ? `${command.slice(0, MAX_COMMAND_CHARS)}…` : command, 'shellscript');
  }
  for (const [name, value] of facts(session)) {
    tooltip.appendMarkdown(`**${name}:** `).appendText(value).appendMarkdown('  \n');
  }
  return tooltip;
}

function facts(session: Session): (readonly [name: string, value: string])[] {
  const { l10n } = vscode;
  const { info, state, terminalSize: size } = session;
  const { log, unfinishedLine } = session.transcript;
  const isRunning = state.kind === 'running';
  const isYours = session.holder === 'user' || session.waitingFor === 'hidden';
  return [
    [l10n.t('State'), stateWords(session, Date.now(), l10n)],
    ...(isRunning && info.isTerminal
      ? [[l10n.t('Typed into by'), isYours ? l10n.t('you alone') : l10n.t('you and agents')] as const]
      : []),
    [l10n.t('Started by'), starterWords(session, l10n)],
    [l10n.t('Started at'), timeWords(info.startedAt)],
    ...(isRunning ? [] : [[l10n.t('Ended at'), timeWords(state.endedAt)] as const]),
    [l10n.t('Environment'), environmentWords(info)],
    [l10n.t('Folder'), info.cwd],
    [l10n.t('Shell'), info.isLogin ? l10n.t('{0}, with the login profile', info.shell) : info.shell],
    [
      l10n.t('Terminal'),
      size === undefined ? l10n.t('none, on pipes') : l10n.t('{0} columns, {1} rows', size.cols, size.rows),
    ],
    [
      l10n.t('Output'),
      l10n.t('{0} bytes of text', (log.totalBytes + unfinishedLine.length).toLocaleString(vscode.env.language)),
    ],
    [l10n.t('Process'), String(session.pid)],
    [l10n.t('Session'), String(info.id)],
  ];
}

/** Sessions run where the extension does, unless their environment is another machine. */
function environmentWords(info: SessionInfo): string {
  if (isElsewhere(info)) return `${info.environment.id} (${info.environment.label})`;
  const { remoteName } = vscode.env;
  return remoteName === undefined ? vscode.l10n.t('this machine') : vscode.l10n.t('the remote machine ({0})', remoteName);
}

function timeWords(timeMs: number): string {
  return new Date(timeMs).toLocaleTimeString(vscode.env.language);
}
