import path from 'node:path';
import * as vscode from 'vscode';
import type { EnvironmentManager, Machine } from '../../environment/environmentManager';
import type { SessionTabs } from '../terminal/sessionTabs';
import { environmentUri } from './environmentUri';
import { findPathMentions, type PathMention } from './pathMentions';

/** Of one line; each costs a request. */
const MAX_LINKS_OF_LINE = 10;

class PathLink extends vscode.TerminalLink {
  readonly selection: vscode.Range | undefined;

  constructor(
    mention: PathMention,
    readonly target: vscode.Uri,
    tooltip: string,
  ) {
    super(mention.startIndex, mention.length, tooltip);
    this.selection = selectionOf(mention);
  }
}

/**
 * Makes links of the files that a session's output names, where they are there. VS Code itself finds files of this machine by absolute
 * paths; it does not know in which folder a session runs, and takes the paths of other machines for those of this one.
 */
export class PathLinks implements vscode.TerminalLinkProvider<PathLink> {
  private constructor(
    private readonly environments: EnvironmentManager,
    private readonly tabs: SessionTabs,
  ) {}

  static register(environments: EnvironmentManager, tabs: SessionTabs): vscode.Disposable {
    return vscode.window.registerTerminalLinkProvider(new PathLinks(environments, tabs));
  }

  async provideTerminalLinks({ line, terminal }: vscode.TerminalLinkContext): Promise<PathLink[]> {
    const info = this.tabs.sessionIn(terminal)?.info;
    const machine = this.environments.list().find(({ id }) => id === info?.environment.id);
    // A look at a line connects with nobody.
    if (info === undefined || machine === undefined || !isThere(machine)) return [];
    const isHere = machine.kind === 'local';
    const mentions = findPathMentions(line).filter((mention) => !isHere || !path.isAbsolute(mention.path));
    const links = mentions.slice(0, MAX_LINKS_OF_LINE).map(async (mention): Promise<PathLink[]> => {
      const file = (isHere ? path : path.posix).resolve(info.cwd, mention.path);
      if (!(await isFile(machine, file))) return [];
      const target = isHere ? vscode.Uri.file(file) : environmentUri(machine.id, file);
      return [new PathLink(mention, target, tooltipOf(machine, file))];
    });
    return (await Promise.all(links)).flat();
  }

  async handleTerminalLink({ target, selection }: PathLink): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', target, { selection });
  }
}

function isThere(machine: Machine): boolean {
  return machine.kind === 'local' || machine.state.kind === 'connected';
}

async function isFile(machine: Machine, file: string): Promise<boolean> {
  try {
    return (await machine.files.getMetadata(file)).isFile;
  } catch {
    // Nothing that could be opened: no link.
    return false;
  }
}

function tooltipOf(machine: Machine, file: string): string {
  if (machine.kind === 'local') return vscode.l10n.t('Open {0}', file);
  return vscode.l10n.t('Open {0} on {1}', file, machine.id);
}

function selectionOf({ line, column = 1 }: PathMention): vscode.Range | undefined {
  if (line === undefined) return undefined;
  const position = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  return new vscode.Range(position, position);
}
