/** Where Codex has its environments from. Loads no package: the command line asks before it knows whether it has to serve. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export const URL_VARIABLE = 'CODEX_EXEC_SERVER_URL';

/**
 * The environment by which Codex runs commands in a window of ours, on this machine: as it stands in its file, which we read as well.
 * To us it is this machine.
 */
export const WINDOW_ENVIRONMENT_ID = 'exec-sessions';

export type CodexSource =
  | { readonly kind: 'file'; readonly file: string }
  /** Not blank. */
  | { readonly kind: 'variable'; readonly value: string }
  | { readonly kind: 'nothing' };

/** The file, if there is one; else the variable. */
export function findCodexSource(env: NodeJS.ProcessEnv): CodexSource {
  const given = env['CODEX_HOME'] ?? '';
  const codexHome = given === '' ? path.join(env['HOME'] ?? homedir(), '.codex') : given;
  const file = path.join(codexHome, 'environments.toml');
  if (existsSync(file)) return { kind: 'file', file };
  const value = env[URL_VARIABLE]?.trim() ?? '';
  return value === '' ? { kind: 'nothing' } : { kind: 'variable', value };
}
