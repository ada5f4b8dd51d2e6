/** Masks what looks like a secret in the text that models get. The terminal tab and the kept output stay as they are. */
import { INNER_KEY_LINE, KEY_EDGES, KEY_REST, openSecretStart, SECRET_FORMS } from './secretForms';

export interface Redacted {
  readonly text: string;
  /** How many secrets were masked. */
  readonly count: number;
}

/** For every text of a program that goes to a model. */
export interface Redaction {
  readonly isOn: () => boolean;
  readonly redact: (text: string) => Redacted;
}

export const KEY_MASK = '[private key masked]';
const UNFINISHED_MASK = '[masked until its line ends: it may be the beginning of a secret]';

const ANY_SECRET = new RegExp(SECRET_FORMS.map(({ pattern }) => `(${pattern})`).join('|'), 'g');

/** Masks while `isOn` says so; asked anew for each text. */
export function createRedaction(isOn: () => boolean): Redaction {
  return { isOn, redact: (text) => (isOn() ? redactSecrets(text) : { text, count: 0 }) };
}

export function redactSecrets(text: string): Redacted {
  const before = maskedEndOfKey(text);
  let { count } = before;
  const masked = before.text.replaceAll(ANY_SECRET, (match, ...groups: readonly (string | undefined)[]) => {
    count++;
    const kind = SECRET_FORMS.find((_form, index) => groups[index] !== undefined);
    // The lines after a private key without an end stay lines of their own.
    return `[${kind?.name ?? 'secret'} masked]${match.endsWith('\n') ? '\n' : ''}`;
  });
  return { text: masked, count };
}

/** The same for a text whose last line the program is still writing: the end of that may be the beginning of a secret. */
export function redactUnfinished(text: string): Redacted {
  const lineStart = text.lastIndexOf('\n') + 1;
  const start = lineStart + openSecretStart(text.slice(lineStart));
  const { text: masked, count } = redactSecrets(text.slice(0, start));
  return { text: start < text.length ? `${masked}${UNFINISHED_MASK}` : masked, count };
}

/** One text after the other of the same output: a private key may begin in one and go on in the next. */
export class RedactedStream {
  private isInsideKey = false;

  redact(text: string): Redacted {
    const rest = this.isInsideKey ? (KEY_REST.exec(text)?.[0] ?? '') : '';
    const { text: masked, count } = redactSecrets(text.slice(rest.length));
    if (text !== '') this.isInsideKey = endsInsideKey(text, this.isInsideKey && rest.length === text.length);
    // It was counted with its beginning.
    return { text: rest === '' ? masked : `${KEY_MASK}${rest.endsWith('\n') ? '\n' : ''}${masked}`, count };
  }
}

function endsInsideKey(text: string, wasInside: boolean): boolean {
  const begin = text.lastIndexOf('-----BEGIN ');
  const isBegun = begin >= 0 && KEY_EDGES.begin.test(text.slice(begin));
  const last = isBegun ? text.slice(begin) : text;
  if (KEY_EDGES.end.test(last)) return false;
  if (!isBegun) return wasInside;
  const lines = last.slice(last.indexOf('\n') + 1);
  return !last.includes('\n') || KEY_REST.exec(lines)?.[0].length === lines.length;
}

/** A private key that begins before the text: only its end is there, such as behind an omission. */
function maskedEndOfKey(text: string): Redacted {
  const end = KEY_EDGES.end.exec(text);
  if (end === null || KEY_EDGES.begin.test(text.slice(0, end.index))) return { text, count: 0 };
  let start = end.index;
  for (;;) {
    const lineStart = text.lastIndexOf('\n', start - 2) + 1;
    if (start === 0 || !INNER_KEY_LINE.test(text.slice(lineStart, start - 1))) break;
    start = lineStart;
  }
  return { text: `${text.slice(0, start)}${KEY_MASK}${text.slice(end.index + end[0].length)}`, count: 1 };
}
