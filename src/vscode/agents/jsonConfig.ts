/** Adds an entry to a JSON file with comments, of which nothing else changes: not its order, its comments nor its spaces. */
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, findNodeAtLocation, getNodeValue, modify, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { endOfLineOf } from './endOfLine';
import { type ConfigChange, SERVER_NAME, type ServerEntry } from './configChange';

const BYTE_ORDER_MARK = '\ufeff';
const DEFAULT_INDENT = '  ';

/** `section` is the key of the object that holds the servers. */
export function changeJsonConfig(text: string, section: string, entry: ServerEntry): ConfigChange {
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const change = changeJsonConfig(text.slice(BYTE_ORDER_MARK.length), section, entry);
    return 'text' in change ? { ...change, text: BYTE_ORDER_MARK + change.text } : change;
  }
  if (text.trim() === '') return { kind: 'add', text: `${jsonSnippet(section, entry)}\n` };
  const root = parse(text);
  if (root?.type !== 'object') return { kind: 'byHand', reason: 'unreadable' };
  const servers = findNodeAtLocation(root, [section]);
  if (servers === undefined) return { kind: 'add', text: insertProperty(text, root, [section, { [SERVER_NAME]: entry }]) };
  if (servers.type !== 'object') return { kind: 'byHand', reason: 'unreadable' };
  const present = findNodeAtLocation(servers, [SERVER_NAME]);
  if (present === undefined) return { kind: 'add', text: insertProperty(text, servers, [SERVER_NAME, entry]) };
  if (present.type !== 'object') return { kind: 'byHand', reason: 'otherEntry' };
  return replaceValues(text, [section, SERVER_NAME], { old: getNodeValue(present) as object, entry });
}

/** What stands in the file when there is nothing else in it. */
export function jsonSnippet(section: string, entry: ServerEntry): string {
  return JSON.stringify({ [section]: { [SERVER_NAME]: entry } }, undefined, DEFAULT_INDENT);
}

function parse(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? root : undefined;
}

/** What the user has added to the entry, such as variables, stays. */
function replaceValues(
  text: string,
  path: readonly string[],
  { old, entry }: { readonly old: object; readonly entry: ServerEntry },
): ConfigChange {
  const current = new Map<string, unknown>(Object.entries(old));
  const differing = Object.entries(entry).filter(([key, value]) => !isDeepStrictEqual(current.get(key), value));
  if (differing.length === 0) return { kind: 'none' };
  const formattingOptions = {
    insertSpaces: indentOf(text) !== '\t',
    tabSize: indentOf(text).length,
    eol: endOfLineOf(text),
  };
  const changed = differing.reduce(
    (before, [key, value]) => applyEdits(before, modify(before, [...path, key], value, { formattingOptions })),
    text,
  );
  return { kind: 'replace', text: changed };
}

/**
 * Puts a property behind the last one. `modify` would do it as well, but comments behind the last property would then stand
 * behind ours, and what is on its line would be formatted anew.
 */
function insertProperty(text: string, object: Node, [key, value]: readonly [string, unknown]): string {
  const eol = endOfLineOf(text);
  const closing = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const outerIndent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', object.offset) + 1))?.[0] ?? '';
  const indent = outerIndent + indentOf(text);
  const json = JSON.stringify(value, undefined, indentOf(text)).replaceAll('\n', eol + indent);
  const property = `${eol}${indent}${JSON.stringify(key)}: ${json}`;

  const end = last === undefined ? object.offset + 1 : last.offset + last.length;
  // Comments, and a comma that may stand between them.
  const between = text.slice(end, closing);
  const kept = between.trimEnd();
  const hasComma = last === undefined || withoutComments(between).includes(',');
  const isOnOwnLine = between.slice(kept.length).includes('\n');
  const tail = isOnOwnLine ? between.slice(kept.length) : eol + outerIndent;
  return `${text.slice(0, end)}${hasComma ? '' : ','}${kept}${property}${tail}${text.slice(closing)}`;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/g, '');
}

function indentOf(text: string): string {
  const [, indent = DEFAULT_INDENT] = /^([ \t]+)"/m.exec(text) ?? [];
  return indent.startsWith('\t') ? '\t' : indent;
}
