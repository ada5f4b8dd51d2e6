import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { allowRuleText, findAllowRule, reasonAgainstAllowing } from './allowRule';

export type AlwaysAllowOutcome =
  | { readonly kind: 'added'; readonly rule: string }
  /** The file allows it already. */
  | { readonly kind: 'present' }
  /** `reason` is a sentence without its full stop. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Adds a rule to a file that allows all commands that begin with `prefix`. The file and its folder are made for the user alone.
 * The rule is added in one write at the end, so that nothing that others add meanwhile is lost, and a file that is a link stays
 * one. Throws what the file system throws.
 */
export async function alwaysAllow(prefix: readonly string[], file: string): Promise<AlwaysAllowOutcome> {
  const objection = reasonAgainstAllowing(prefix);
  if (objection !== undefined) return { kind: 'refused', reason: `no rule is made of it: ${objection}` };
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a', 0o600);
  try {
    const text = await readFile(file, 'utf8');
    const found = findAllowRule(text, prefix);
    if (found === 'present') return { kind: 'present' };
    if (found !== 'absent') {
      const { line, column } = found.range.start;
      return { kind: 'refused', reason: `${file}:${line}:${column} has an error: ${found.message}` };
    }
    const rule = allowRuleText(prefix);
    if (findAllowRule(`${text}\n${rule}`, prefix) !== 'present') throw new Error('a rule that was made cannot be read');
    const line = Buffer.from(`${text === '' || text.endsWith('\n') ? '' : '\n'}${rule}\n`);
    const { bytesWritten } = await handle.write(line);
    if (bytesWritten < line.length) throw new Error(`${file}: the rule could not be written as a whole`);
    return { kind: 'added', rule };
  } finally {
    await handle.close();
  }
}
