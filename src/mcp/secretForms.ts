/** What secrets look like: by the prefixes that issuers give them so that they can be found, as they document them. */

export interface SecretForm {
  readonly name: string;
  readonly pattern: string;
}

interface TokenForm {
  readonly name: string;
  readonly starts: readonly string[];
  /** What follows one of `starts`. */
  readonly body: string;
}

const TOKENS: readonly TokenForm[] = [
  { name: 'AWS access key', starts: ['AKIA', 'ASIA'], body: '[0-9A-Z]{16}\\b' },
  { name: 'GitHub token', starts: ['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_'], body: '[A-Za-z0-9]{36,}\\b' },
  { name: 'GitHub token', starts: ['github_pat_'], body: '[A-Za-z0-9_]{22,}\\b' },
  { name: 'GitLab token', starts: ['glpat-'], body: '[A-Za-z0-9_-]{20,}' },
  { name: 'npm token', starts: ['npm_'], body: '[A-Za-z0-9]{36}\\b' },
  {
    name: 'Slack token',
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    body: '[A-Za-z0-9-]{10,}',
  },
  { name: 'Stripe key', starts: ['rk_live_', 'sk_live_'], body: '[A-Za-z0-9]{20,}\\b' },
  { name: 'API key', starts: ['sk-'], body: '(?:ant-|proj-)?[A-Za-z0-9_-]{20,}' },
  { name: 'Google API key', starts: ['AIza'], body: '[A-Za-z0-9_-]{35}' },
  { name: 'JSON web token', starts: ['eyJ'], body: '[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}' },
];

const KEY_BEGIN = '-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----';
const KEY_END = '-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----';
/** Lines between the two: base64, and the few that may stand before it. */
const KEY_LINE = '[^\\S\\n]*(?:[A-Za-z0-9+/=]+[^\\S\\n]*|(?:Proc-Type|DEK-Info|Version|Comment): [^\\n]*)?(?:\\n|$)';
/** Where a reply leaves out the middle of a key: what comes then belongs to it if it is as long as the lines of keys are. */
const KEY_AFTER_GAP = '(?:\\[… [\\d,]+ bytes, [\\d,]+ line ends omitted …\\]\\s*\\n(?:[A-Za-z0-9+/=]{40,}(?:\\n|$))+)?';
/** Longer than any private key, with its line ends. */
const LONGEST_KEY_CHARACTERS = 16_384;

/** A whole private key; or its beginning, as far as it goes on looking like one. */
const PRIVATE_KEY = `${KEY_BEGIN}(?:[\\s\\S]{0,${LONGEST_KEY_CHARACTERS}}?${KEY_END}|[^\\n]*\\n?(?:${KEY_LINE})*${KEY_AFTER_GAP})`;

export const SECRET_FORMS: readonly SecretForm[] = [
  { name: 'private key', pattern: PRIVATE_KEY },
  ...TOKENS.map(({ name, starts, body }) => ({ name, pattern: `\\b(?:${starts.join('|')})${body}` })),
];

/** A line that begins or ends a private key. */
export const KEY_EDGE = `${KEY_BEGIN}|${KEY_END}`;
export const KEY_EDGES = { begin: new RegExp(KEY_BEGIN), end: new RegExp(KEY_END) };
/** What a text may begin with that goes on with a private key, of which the text before ended in the middle. */
export const KEY_REST = new RegExp(`^(?:${KEY_LINE})*(?:[^\\S\\n]*${KEY_END})?`);
/** A line, without its end, that may be one of a private key. */
export const INNER_KEY_LINE = new RegExp(`^(?!\\s*$)${KEY_LINE}$`);

/** Longer than any token, JSON web tokens with many claims apart. */
const LONGEST_TOKEN_CHARACTERS = 4_096;
/** A text that ends with a token, or with what may be the beginning of one. */
const OPEN_TOKEN = new RegExp(`(?<!\\w)(?:${TOKENS.flatMap(({ starts }) => starts.map(begunToken)).join('|')})$`);
const KEY_PREFIX = '-----BEGIN ';

/** Where at the end of a line a secret may have begun that is not all there yet; the length of the line where none has. */
export function openSecretStart(line: string): number {
  return Math.min(openKeyStart(line), openTokenStart(line));
}

function openTokenStart(line: string): number {
  const from = Math.max(0, line.length - LONGEST_TOKEN_CHARACTERS);
  const found = OPEN_TOKEN.exec(line.slice(from));
  return found === null ? line.length : from + found.index;
}

function openKeyStart(line: string): number {
  const start = line.lastIndexOf(KEY_PREFIX);
  const isOpen = start >= 0 && line.length - start <= LONGEST_KEY_CHARACTERS && !KEY_EDGES.end.test(line.slice(start));
  if (isOpen) return start;
  for (let length = Math.min(KEY_PREFIX.length, line.length); length > 0; length--) {
    if (line.endsWith(KEY_PREFIX.slice(0, length))) return line.length - length;
  }
  return line.length;
}

/** Matches `start` and what may follow it, and each beginning of `start`. */
function begunToken(start: string): string {
  const [first = '', ...rest] = start;
  return rest.length === 0 ? `${first}[\\w.-]*` : `${first}(?:${begunToken(rest.join(''))})?`;
}
