/** A part of a line that looks like the path of a file, as compilers and the like print them. */
export interface PathMention {
  readonly startIndex: number;
  /** With what follows of the line and column. */
  readonly length: number;
  readonly path: string;
  /** From 1, as the column. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

const NAME = String.raw`[^\s"'\x60<>|(){}:,;=]+`;
/** `:12`, `:12:3`, `(12)`, `(12,3)`. */
const POSITION = String.raw`:(\d+)(?::(\d+))?|\((\d+)(?:, ?(\d+))?\)`;
/** Python quotes the path, and says the line in words: `File "a path", line 12`. */
const QUOTED = String.raw`"(?<quoted>[^"]+)", line (?<quotedLine>\d+)`;
/** Not of a file: for a browser, whole. */
const ADDRESS = String.raw`(?!file:)[A-Za-z][\w+.-]*:\/\/\S+`;
const MENTION = new RegExp(String.raw`${QUOTED}|${ADDRESS}|(?<name>(?:file:\/\/)?${NAME})(?:${POSITION})?`, 'g');

/** In the order of the line. Whether anything is there is for others to find out. */
export function findPathMentions(line: string): PathMention[] {
  return [...line.matchAll(MENTION)].flatMap((match) => {
    const { quoted, quotedLine, name } = match.groups ?? {};
    if (quoted !== undefined) {
      return [{ startIndex: match.index + 1, length: quoted.length, path: quoted, line: numberOf(quotedLine) }];
    }
    if (name === undefined) return [];
    const [, , , , colonLine, colonColumn, bracketLine, bracketColumn] = match;
    const [at, column] = [colonLine ?? bracketLine, colonColumn ?? bracketColumn];
    const trimmed = at === undefined ? trim(name) : { text: name, skipped: 0 };
    const path = pathOf(trimmed.text);
    if (path === undefined || !looksLikePath(path, at !== undefined)) return [];
    const length = at === undefined ? trimmed.text.length : match[0].length;
    const startIndex = match.index + trimmed.skipped;
    return [{ startIndex, length, path, line: numberOf(at), column: numberOf(column) }];
  });
}

/** Without what belongs to the sentence around it: the end of that, and brackets that are open on one side. */
function trim(name: string): { readonly text: string; readonly skipped: number } {
  const text = name.replace(/[.!?]+$/, '');
  if (text.startsWith('[') && !text.includes(']')) return { text: text.slice(1), skipped: 1 };
  if (text.startsWith('[') && text.endsWith(']')) return { text: text.slice(1, -1), skipped: 1 };
  return { text: text.endsWith(']') && !text.includes('[') ? text.slice(0, -1) : text, skipped: 0 };
}

/** Of an address of a file the path; `undefined` for one that is none. */
function pathOf(name: string): string | undefined {
  if (!name.startsWith('file://')) return name;
  try {
    return decodeURIComponent(new URL(name).pathname);
  } catch {
    // No address after all, such as one with a stray `%`.
    return undefined;
  }
}

/** Whether it is worth asking for: a folder or an ending is in it, or a line comes after it. What comes after `http:` is neither. */
function looksLikePath(path: string, hasLine: boolean): boolean {
  if (path.startsWith('//') || /^[\d/.-]*$/.test(path)) return false;
  return hasLine || path.includes('/') || /\.[A-Za-z]\w*$/.test(path);
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
