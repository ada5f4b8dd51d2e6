import * as vscode from 'vscode';
import type { Log } from '../base/log';
import { CHAT_AGENT_NAME, type SETTINGS, SETTINGS_SECTION } from './contributions';

const SETTING: keyof typeof SETTINGS = 'builtInTerminalTool';
/** Of VS Code: the name of the agent that new chats start with; empty for the one that was used last. */
const DEFAULT_AGENT_SETTING = 'chat.newSession.defaultMode';
/** The name by which VS Code knows its own agent, with all tools. */
const BUILT_IN_AGENT_NAME = 'agent';
const OPEN_CHAT_COMMAND = 'workbench.action.chat.open';
const REPLACED_KEY = 'builtInTerminal.replacedAgent';

/** A place of settings, with what remembers over reloads what we have replaced there. */
interface Level {
  readonly target: vscode.ConfigurationTarget;
  readonly value: 'globalValue' | 'workspaceValue';
  readonly memento: vscode.Memento;
}

/** What stood in the settings of a level before, nothing where there is no `value`, and what we have put there. */
interface Replaced {
  readonly value?: string | undefined;
  readonly by: string;
}

/**
 * Turns the terminal tool of VS Code off, as the setting says. VS Code has none that takes one of its own tools away, but it
 * has one for the agent that new chats start with: ours has no terminal tool but those of Exec Sessions. What was set before
 * is put back when the tool is turned on again, unless somebody has set something else since. In chats with other agents the
 * tool is offered all the same, and its calls are refused by the hook in `media/chat/built-in-terminal-off`, which the manifest
 * contributes while the setting is off: no setting of the user's has to name it.
 */
export class BuiltInTerminal implements vscode.Disposable {
  private readonly levels: readonly Level[];
  private readonly listener: vscode.Disposable;
  private last: Promise<void> = Promise.resolve();

  constructor(
    { globalState, workspaceState }: Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState'>,
    private readonly log: Log,
  ) {
    this.levels = [
      { target: vscode.ConfigurationTarget.Global, value: 'globalValue', memento: globalState },
      { target: vscode.ConfigurationTarget.Workspace, value: 'workspaceValue', memento: workspaceState },
    ];
    this.listener = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SETTINGS_SECTION}.${SETTING}`)) void this.apply();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.apply()),
    );
    void this.apply();
  }

  /** Turns the tool on or off for the workspace, in its settings and in the chat that is open. */
  async turn(isOn: boolean): Promise<void> {
    if (!canSetDefaultAgent()) {
      const message = vscode.l10n.t(
        'This version of VS Code cannot start chats with another agent. In the chat, untick the terminal tool under Configure Tools.',
      );
      void vscode.window.showWarningMessage(message);
      return;
    }
    const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
    // Where on is what holds anyway, nothing is left behind in the settings of the workspace.
    const value = isOn && settings.inspect(SETTING)?.globalValue !== false ? undefined : isOn;
    await settings.update(SETTING, value, vscode.ConfigurationTarget.Workspace);
    await this.apply();
    await vscode.commands.executeCommand(OPEN_CHAT_COMMAND, { mode: isOn ? BUILT_IN_AGENT_NAME : CHAT_AGENT_NAME });
  }

  dispose(): void {
    this.listener.dispose();
  }

  /** One after the other: each begins with what the last one has left. */
  private apply(): Promise<void> {
    this.last = this.last.then(async () => {
      for (const level of this.levels) await this.applyTo(level);
    });
    this.last = this.last.catch((error: unknown) => {
      this.log.error('The agent that new chats start with could not be set', error);
    });
    return this.last;
  }

  private async applyTo({ target, value, memento }: Level): Promise<void> {
    // Settings of a workspace that is not trusted say nothing, not even that the tool is to be turned on again.
    if (value === 'workspaceValue' && !vscode.workspace.isTrusted) return;
    const wanted = wantedAgent(value);
    const replaced = memento.get<Replaced>(REPLACED_KEY);
    if (wanted === replaced?.by || !canSetDefaultAgent()) return;
    const settings = vscode.workspace.getConfiguration();
    const present = settings.inspect<string>(DEFAULT_AGENT_SETTING)?.[value];
    const isOurs = replaced !== undefined && present === replaced.by;
    const before = isOurs ? replaced.value : present;
    await memento.update(REPLACED_KEY, wanted === undefined ? undefined : { value: before, by: wanted });
    if (wanted !== undefined || isOurs) await settings.update(DEFAULT_AGENT_SETTING, wanted ?? before, target);
  }
}

/** Older editors do not have the setting, and nobody can write one that is not there. */
function canSetDefaultAgent(): boolean {
  return vscode.workspace.getConfiguration().inspect(DEFAULT_AGENT_SETTING)?.defaultValue !== undefined;
}

/** The agent that new chats are to start with; `undefined` where a level leaves that as it is. */
function wantedAgent(level: Level['value']): string | undefined {
  const setting = vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect<boolean>(SETTING);
  if (setting?.[level] === false) return CHAT_AGENT_NAME;
  const isException = level === 'workspaceValue' && setting?.workspaceValue === true && setting.globalValue === false;
  return isException ? BUILT_IN_AGENT_NAME : undefined;
}
