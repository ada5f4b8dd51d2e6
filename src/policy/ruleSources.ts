import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../base/messageOf';
import type { RulesText, UnreadableRules } from './rules/ruleSet';

/** In one folder. People have a handful; each costs the time of reading it before every session. */
const MAX_FILES_IN_FOLDER = 100;

/** Four bytes is the most that a character takes of those that a file of rules may have a million of. */
const MAX_FILE_BYTES = 4_000_000;

export interface RuleSourceOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly workspaceFolders: readonly string[];
  /** Whether rules of the workspace may allow anything. If not, they can only ask and forbid. */
  readonly isWorkspaceTrusted: boolean;
}

/**
 * All files of rules that count: `*.rules` in the `rules` folder of Codex, in our own, and in both of these in each folder of the
 * workspace. A folder that is not there has none. A file that cannot be read is told of, since it may have forbidden something.
 */
export async function findRules(options: RuleSourceOptions): Promise<(RulesText | UnreadableRules)[]> {
  const { workspaceFolders, isWorkspaceTrusted } = options;
  const workspace = workspaceFolders.flatMap((folder) => [
    path.join(folder, '.codex', 'rules'),
    path.join(folder, '.exec-sessions', 'rules'),
  ]);
  const found = await Promise.all([
    ...[codexRulesFolder(options), userRulesFolder(options)].map((folder) => readFolder(folder, false)),
    ...workspace.map((folder) => readFolder(folder, !isWorkspaceTrusted)),
  ]);
  return found.flat();
}

/** The file that "always allow" adds rules to, among those of our own folder. */
export function userRulesFile(options: Pick<RuleSourceOptions, 'home' | 'env'>): string {
  return path.join(userRulesFolder(options), 'user.rules');
}

function codexRulesFolder({ home, env }: Pick<RuleSourceOptions, 'home' | 'env'>): string {
  return path.join(absolute(env['CODEX_HOME']) ?? path.join(home, '.codex'), 'rules');
}

function userRulesFolder({ home, env }: Pick<RuleSourceOptions, 'home' | 'env'>): string {
  return path.join(absolute(env['XDG_CONFIG_HOME']) ?? path.join(home, '.config'), 'exec-sessions', 'rules');
}

/** What is no absolute path would mean another folder in each program. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

async function readFolder(folder: string, isOnlyStricter: boolean): Promise<(RulesText | UnreadableRules)[]> {
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => name.endsWith('.rules')).sort();
  } catch (error) {
    return isAbsent(error) ? [] : [{ file: folder, problem: messageOf(error) }];
  }
  if (names.length > MAX_FILES_IN_FOLDER) {
    return [{ file: folder, problem: `there are more than ${MAX_FILES_IN_FOLDER} files of rules in the folder` }];
  }
  const read = await Promise.all(names.map((name) => readRulesText(path.join(folder, name))));
  return read.map((source) => ('text' in source ? { ...source, isOnlyStricter } : source));
}

/** The text of one file of rules, or why there is none. */
export async function readRulesText(file: string): Promise<RulesText | UnreadableRules> {
  try {
    const found = await stat(file);
    // Opening a pipe would wait for whoever writes to it.
    if (!found.isFile()) return { file, problem: 'it is not a file' };
    if (found.size > MAX_FILE_BYTES) return { file, problem: `it is larger than ${MAX_FILE_BYTES} bytes` };
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
    return { file, text };
  } catch (error) {
    return { file, problem: messageOf(error) };
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
