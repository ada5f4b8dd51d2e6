import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionManager } from '../session/sessionManager';
import { DEFAULT_TERMINAL_SIZE } from '../session/terminal/terminalSize';
import { COMMANDS } from './contributions';
import { pickSession } from './pickSession';
import type { SessionTabs } from './terminal/sessionTabs';
import { requireTrust } from './trust';

export interface CommandTargets {
  readonly manager: SessionManager;
  readonly tabs: SessionTabs;
}

type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Registers every command of the manifest. */
export function registerCommands(targets: CommandTargets): vscode.Disposable {
  const handlers: Record<CommandId, (argument: unknown) => Promise<void>> = {
    [COMMANDS.newSharedShell]: () => startSharedShell(targets),
    [COMMANDS.focusSession]: (argument) => focusSession(targets, argument),
    [COMMANDS.terminateSession]: (argument) => terminateSession(targets, argument),
  };
  const registrations = Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, handler));
  return vscode.Disposable.from(...registrations);
}

async function startSharedShell({ manager, tabs }: CommandTargets): Promise<void> {
  if (!(await requireTrust())) return;
  const shellName = path.basename(manager.defaultShell);
  const result = await manager.start({
    command: undefined,
    terminal: DEFAULT_TERMINAL_SIZE,
    title: vscode.l10n.t('Shared {0}', shellName),
    startedBy: 'user',
  });
  if (result.kind === 'started') tabs.focus(result.session);
  else void vscode.window.showErrorMessage(result.failure.message);
}

async function focusSession({ manager, tabs }: CommandTargets, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Focus Session');
  const session = await pickSession(manager, argument, { title, filter: () => true });
  if (session !== undefined) tabs.focus(session);
}

async function terminateSession({ manager }: CommandTargets, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Terminate Session');
  const filter = { title, filter: ({ state }: { state: { kind: string } }) => state.kind === 'running' };
  const session = await pickSession(manager, argument, filter);
  await session?.terminate('user');
}
