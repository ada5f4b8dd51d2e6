import { readRules } from './rules/readRules';
import type { RulesProblem } from './rules/rules';
import { dialectOf, programName } from './shell/dialect';
import { isUnprintable } from './shell/characters';
import { OPAQUE_WRAPPERS, TRANSPARENT_WRAPPERS } from './shell/wrappers';

/** Programs that run whatever their arguments say: allowed by name alone, they would allow everything. */
const INTERPRETERS: ReadonlySet<string> = new Set([
  'awk',
  'bun',
  'deno',
  'docker',
  'eval',
  'git',
  'lua',
  'node',
  'npx',
  'osascript',
  'perl',
  'php',
  'python',
  'python2',
  'python3',
  'ruby',
  'ssh',
]);

/** A rule that allows all commands that begin with `prefix`, as a line of a file of rules. */
export function allowRuleText(prefix: readonly string[]): string {
  return `prefix_rule(pattern = [${prefix.map(quoted).join(', ')}], decision = "allow")`;
}

/** Why there should be no rule that allows all commands that begin with `prefix`, as the end of a sentence. */
export function reasonAgainstAllowing(prefix: readonly string[]): string | undefined {
  const [program, ...rest] = prefix;
  if (program === undefined || program === '') return 'it names no program';
  if (prefix.some(isUnprintable)) return 'it has control characters';
  const name = programName(program);
  const runsAnything =
    dialectOf(program) !== undefined ||
    INTERPRETERS.has(name) ||
    TRANSPARENT_WRAPPERS.has(name) ||
    OPAQUE_WRAPPERS.has(name);
  const isBroad = runsAnything && rest.every((word) => word.startsWith('-'));
  return isBroad ? `it would allow everything that \`${name}\` can run` : undefined;
}

/** The rule in `text` that allows `prefix` already, or what is wrong with the file, so that a rule in it would not count. */
export function findAllowRule(text: string, prefix: readonly string[]): 'present' | 'absent' | RulesProblem {
  const { prefixRules, problems } = readRules({ file: '', text, home: '/' });
  const [problem] = problems;
  if (problem !== undefined) return problem;
  const isPresent = prefixRules.some(({ program, rest, decision }) => {
    return decision === 'allow' && JSON.stringify([program, ...rest]) === JSON.stringify(prefix);
  });
  return isPresent ? 'present' : 'absent';
}

function quoted(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
