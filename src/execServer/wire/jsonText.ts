/** Values of one message, scalars and containers alike: more is an attack on memory, not a message. */
import { messageOf } from '../../base/messageOf';

export const MAX_JSON_VALUES = 262_144;
/** Containers inside each other; no message of the protocol needs ten. */
export const MAX_JSON_DEPTH = 127;

export type ParsedJson =
  { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'malformed'; readonly problem: string };

/** Parses one JSON text, and refuses what readers may take differently (a key given twice) or choke on (depth, count). */
export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    const problem = findExcess(text);
    return problem === undefined ? { kind: 'value', value } : { kind: 'malformed', problem };
  } catch (error) {
    return { kind: 'malformed', problem: messageOf(error) };
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** `text` is known to be JSON, so only its outline is looked at: the inside of a long string costs next to nothing. */
function findExcess(text: string): string | undefined {
  /** The keys so far of each open object, `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  let values = 0;
  let isKeyNext = false;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code <= SPACE || code === COLON) {
      index++;
    } else if (code === COMMA) {
      isKeyNext = open.at(-1) !== undefined;
      index++;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
      index++;
    } else {
      const keys = open.at(-1);
      const end =
        code === QUOTE
          ? endOfString(text, index)
          : code === OPEN_BRACE || code === OPEN_BRACKET
            ? index + 1
            : endOfScalar(text, index);
      if (isKeyNext && code === QUOTE && keys !== undefined) {
        const key = JSON.parse(text.slice(index, end)) as string;
        if (keys.has(key)) return `duplicate JSON object key ${JSON.stringify(key)}`;
        keys.add(key);
        isKeyNext = false;
      } else if (++values > MAX_JSON_VALUES) {
        return `the message exceeds the limit of ${MAX_JSON_VALUES} JSON values`;
      }
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        open.push(code === OPEN_BRACE ? new Set() : undefined);
        isKeyNext = code === OPEN_BRACE;
        if (open.length > MAX_JSON_DEPTH) return `the message is nested more than ${MAX_JSON_DEPTH} levels deep`;
      }
      index = end;
    }
  }
  return undefined;
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function endOfScalar(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code <= SPACE || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) break;
  }
  return end;
}
