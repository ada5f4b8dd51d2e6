/** What the window says about an MCP server. */
import type { ServerState } from '../../mcpServers/mcpServers';
import type { Localization } from '../localization';
import { oneLine } from '../oneLine';

/** Of a problem: in a row, and where there is room for all that is kept of it. */
const ROW_PROBLEM_CHARS = 80;
const WHOLE_PROBLEM_CHARS = 1_000;

/** Such as `MCP server · 2 clients`. */
export function serverRowWords(state: ServerState, l10n: Localization): string {
  return `${l10n.t('MCP server')} · ${stateWords(state, l10n, ROW_PROBLEM_CHARS)}`;
}

/** The same in a sentence, for those who hear it. */
export function spokenServerWords(name: string, state: ServerState, l10n: Localization): string {
  return `${l10n.t('MCP server {0}', name)}, ${stateWords(state, l10n, WHOLE_PROBLEM_CHARS)}`;
}

function stateWords(state: ServerState, l10n: Localization, maxProblemChars: number): string {
  switch (state.kind) {
    case 'idle':
      return l10n.t('not in use');
    case 'connected':
      return state.clients === 1 ? l10n.t('1 client') : l10n.t('{0} clients', state.clients);
    case 'failed':
      return l10n.t('failed: {0}', oneLine(state.problem, maxProblemChars));
  }
}
