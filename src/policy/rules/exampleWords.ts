const BLANK = /[ \t\n]/;

/**
 * The words of an example, by the quotes, backslashes and comments of a POSIX shell; operators and variables are ordinary
 * characters. Undefined if a quote or a backslash is left open.
 */
export function exampleWords(text: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (BLANK.test(text.charAt(at))) at++;
    if (at >= text.length) return words;
    if (text[at] === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
      continue;
    }
    const word = wordAt(text, at);
    if (word === undefined) return undefined;
    words.push(word.value);
    at = word.end;
  }
}

interface Piece {
  readonly value: string;
  readonly end: number;
}

function wordAt(text: string, start: number): Piece | undefined {
  let value = '';
  let at = start;
  while (at < text.length && !BLANK.test(text.charAt(at))) {
    const piece = pieceAt(text, at);
    if (piece === undefined) return undefined;
    value += piece.value;
    at = piece.end;
  }
  return { value, end: at };
}

function pieceAt(text: string, at: number): Piece | undefined {
  const character = text.charAt(at);
  if (character === '"') return doubleQuoted(text, at + 1);
  if (character === '\\') return at + 1 < text.length ? escaped(text.charAt(at + 1), at + 2) : undefined;
  if (character !== "'") return { value: character, end: at + 1 };
  const end = text.indexOf("'", at + 1);
  return end < 0 ? undefined : { value: text.slice(at + 1, end), end: end + 1 };
}

function escaped(character: string, end: number): Piece {
  return { value: character === '\n' ? '' : character, end };
}

function doubleQuoted(text: string, start: number): Piece | undefined {
  let value = '';
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return { value, end: at + 1 };
    if (character !== '\\') value += character;
    else {
      at++;
      const next = text.charAt(at);
      value += '$`"\\'.includes(next) ? next : next === '\n' ? '' : `\\${next}`;
    }
  }
  return undefined;
}
