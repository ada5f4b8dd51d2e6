import { ASSIGNMENT, PLAIN_PROGRAM } from './characters';
import type { FoundCommand, SplitLine } from './commandLine';
import { type Dialect, dialectOf, programName } from './dialect';
import { splitLine } from './splitLine';
import {
  HARMLESS_BUILTINS,
  OPAQUE_WRAPPERS,
  PROJECT_RUNNERS,
  RUNS_AFTER_OPTIONS,
  SHELL_CHANGERS,
  STATE_CHANGERS,
  SYSTEM_FOLDERS,
  TRANSPARENT_WRAPPERS,
  VARIABLE_OPTIONS,
} from './wrappers';

/** Commands that run commands that run commands. */
const MAX_DEPTH = 12;

/** Commands of one line, and places where one may begin: more than a person reads before saying yes. */
const MAX_PARTS = 200;

/** Places in one command where another may begin: options that take a value, one after the other. */
const MAX_STARTS = 8;

/** Some builtins of zsh and bash calculate with their words, where the index of an array may hold a command. */
const CALCULATED_COMMAND = /\[.*[$`]/s;

/** What keeps a command from being judged by its words alone. */
export interface PartObstacle {
  /** What the command does or has. */
  readonly what: string;
  /** If a rule names this many words of the command and allows them, the obstacle does not count. */
  readonly liftedByWords?: number;
}

/** A command that is run, and those that it runs. */
export interface CommandPart {
  /** Its words up to the first that is known only when it runs. */
  readonly argv: readonly string[];
  /** Whether nothing need be said of it itself: it only runs another command, or does no harm. */
  readonly isTransparent: boolean;
  readonly obstacles: readonly PartObstacle[];
  readonly inner: readonly CommandPart[];
  /** A rule that names this many of the words and allows them has spoken for what is within too. */
  readonly innerCoveredByWords: number;
}

/** A command line, or the words of a command, in parts. */
export interface CommandParts {
  readonly parts: readonly CommandPart[];
  /** Of the line itself, in words that go on after "it has". */
  readonly obstacles: readonly string[];
}

export function partsOfLine(line: string, dialect: Dialect): CommandParts {
  return partsOfScript(line, { dialect, depth: 0, budget: { left: MAX_PARTS } });
}

export function partsOfCommand(argv: readonly string[]): CommandParts {
  const [program] = argv;
  if (program === undefined) return { parts: [], obstacles: [] };
  // No shell reads it, so that blanks and backslashes mean nothing; what looks like another letter still does.
  const obstacles = /^[ -~]+$/.test(program) ? [] : ['a program whose name is not plain text'];
  return { parts: [partOf(argv, { dialect: 'posix', depth: 0, budget: { left: MAX_PARTS } })], obstacles };
}

interface Setting {
  /** Of the shell that reads the words. */
  readonly dialect: Dialect;
  readonly depth: number;
  readonly budget: { left: number };
}

function deeper(setting: Setting, dialect = setting.dialect): Setting {
  return { ...setting, dialect, depth: setting.depth + 1 };
}

function partsOfScript(script: string, setting: Setting): CommandParts {
  const { commands, obstacles }: SplitLine = splitLine(script, setting.dialect);
  const isCalculated = commands.some(({ words }) => words.some(({ text }) => CALCULATED_COMMAND.test(text ?? '')));
  return {
    parts: commands.map((command) => partOf(knownWords(command), setting)),
    obstacles: [
      ...obstacles.map(({ what }) => what),
      ...(isCalculated ? ['a word that some commands of a shell calculate with'] : []),
    ],
  };
}

function knownWords({ words }: FoundCommand): string[] {
  const first = words.findIndex(({ text }) => text === undefined);
  return words.slice(0, first < 0 ? words.length : first).flatMap(({ text }) => text ?? []);
}

function partOf(argv: readonly string[], setting: Setting): CommandPart {
  const plain = { argv, isTransparent: false, obstacles: [], inner: [], innerCoveredByWords: 0 };
  const [program = '', ...args] = argv;
  const name = programName(program);
  setting.budget.left--;
  if (setting.depth >= MAX_DEPTH || setting.budget.left < 0) {
    return { ...plain, obstacles: [{ what: 'runs or has too many others' }] };
  }
  const shell = dialectOf(program);
  if (shell !== undefined) return shellPart(argv, shell, setting);
  if (name === 'eval') return evalPart(argv, setting);
  const wrapper = TRANSPARENT_WRAPPERS.get(name);
  if (wrapper !== undefined) return wrapperPart(argv, wrapper.operands, setting);
  if (OPAQUE_WRAPPERS.has(name)) return opaquePart(argv, 1, setting);
  if (args[0] !== undefined && PROJECT_RUNNERS.get(name)?.has(args[0]) === true) return runnerPart(argv, setting);
  const runsAfter = args.findIndex((word) => RUNS_AFTER_OPTIONS.get(name)?.has(word) === true);
  if (runsAfter >= 0) return opaquePart(argv, runsAfter + 2, setting);
  return { ...plain, isTransparent: HARMLESS_BUILTINS.has(program), obstacles: builtinObstacles(name, argv) };
}

function builtinObstacles(name: string, argv: readonly string[]): PartObstacle[] {
  const isVariableSet = argv.slice(1).some((word) => VARIABLE_OPTIONS.get(name)?.test(word) === true);
  if (SHELL_CHANGERS.has(name) || isVariableSet) return [{ what: `changes the shell (\`${name}\`)` }];
  if (!STATE_CHANGERS.has(name)) return [];
  const what = `changes the shell (\`${name}\`)`;
  return argv.every((word) => /^[\w./:@%+,=-]*$/.test(word)) ? [{ what, liftedByWords: 1 }] : [{ what }];
}

/** `nohup command…`, `timeout 5 command…`: looked through if there are no options, of which every program has its own. */
function wrapperPart(argv: readonly string[], operands: number, setting: Setting): CommandPart {
  const [program = '', first = ''] = argv;
  const isQuestion = programName(program) === 'command' && /^-[vV]$/.test(first);
  const start = 1 + operands;
  const hasOptions = argv.slice(1, start).some((word) => word.startsWith('-'));
  const inner = argv.slice(start);
  if (isQuestion || argv.length === 1) {
    return { argv, isTransparent: false, obstacles: [], inner: [], innerCoveredByWords: 0 };
  }
  if (hasOptions || inner.length === 0 || isNoProgram(inner[0] ?? '')) return opaquePart(argv, 1, setting);
  return {
    argv,
    isTransparent: isSystemProgram(program),
    obstacles: nameObstacles(inner),
    inner: [partOf(inner, deeper(setting))],
    innerCoveredByWords: start + 1,
  };
}

/** All commands that may stand behind the options of `argv`, from the word at `start` on. */
function opaquePart(argv: readonly string[], start: number, setting: Setting): CommandPart {
  const starts = possibleStarts(argv, start);
  const scripts = argv.slice(start).filter((word) => /\s/.test(word));
  const inner = [
    ...starts.map((at) => partOf(argv.slice(at), deeper(setting))),
    ...scripts.flatMap((script) => partsOfScript(script, deeper(setting, 'posix')).parts),
  ];
  const innerCoveredByWords = (starts.at(-1) ?? argv.length - 1) + 1;
  const what = `runs others in a way that cannot be looked through (\`${programName(argv[0] ?? '')}\`)`;
  return {
    argv,
    isTransparent: false,
    obstacles: [{ what, liftedByWords: innerCoveredByWords }],
    inner,
    innerCoveredByWords,
  };
}

/** Where a command may begin: which options take the word after them is not known. */
function possibleStarts(argv: readonly string[], start: number): number[] {
  const starts: number[] = [];
  for (let at = start; at < argv.length && starts.length < MAX_STARTS; at++) {
    const [before = '', word = ''] = argv.slice(at - 1, at + 1);
    if (isNoProgram(word)) continue;
    starts.push(at);
    const isPerhapsAValue = (at > start && before.startsWith('-')) || /^\d/.test(word);
    if (!isPerhapsAValue) break;
  }
  return starts;
}

function isNoProgram(word: string): boolean {
  return word.startsWith('-') || ASSIGNMENT.test(word);
}

/** `uv run command…`: a rule for the tool speaks for the command too, as long as none is stricter about it. */
function runnerPart(argv: readonly string[], setting: Setting): CommandPart {
  const starts = possibleStarts(argv, 2);
  const inner = starts.map((at) => partOf(argv.slice(at), deeper(setting)));
  const obstacles = starts.length < MAX_STARTS ? [] : [{ what: 'has too many options to tell what it runs' }];
  return { argv, isTransparent: false, obstacles, inner, innerCoveredByWords: 0 };
}

function evalPart(argv: readonly string[], setting: Setting): CommandPart {
  const { parts, obstacles } = partsOfScript(argv.slice(1).join(' '), deeper(setting));
  return {
    argv,
    isTransparent: argv[0] === 'eval',
    obstacles: obstacles.map((what) => ({ what: `runs text that has ${what}` })),
    inner: parts,
    innerCoveredByWords: argv.length + 1,
  };
}

/** `sh -c script` is its script; a shell that is given a file is a program like any other; all else may run anything. */
function shellPart(argv: readonly string[], dialect: Dialect, setting: Setting): CommandPart {
  const [program = '', first = '', second] = argv;
  if (/^-[leu]*c$/.test(first) && second !== undefined) {
    const { parts, obstacles } = partsOfScript(second, deeper(setting, dialect));
    return {
      argv,
      isTransparent: isSystemProgram(program),
      obstacles: obstacles.map((what) => ({ what: `runs a script that has ${what}`, liftedByWords: 3 })),
      inner: parts,
      innerCoveredByWords: 3,
    };
  }
  const isFile = first !== '' && !first.startsWith('-') && !first.startsWith('/dev/') && !first.startsWith('/proc/');
  if (isFile) return { argv, isTransparent: false, obstacles: [], inner: [], innerCoveredByWords: 0 };
  // Wherever the script may be among the words: only what is forbidden in it counts.
  const scripts = argv.slice(1).flatMap((word) => partsOfScript(word, deeper(setting, dialect)).parts);
  const what = `runs what only the shell can tell (\`${programName(program)}\`)`;
  return { argv, isTransparent: false, obstacles: [{ what }], inner: scripts, innerCoveredByWords: argv.length + 1 };
}

function nameObstacles(argv: readonly string[]): PartObstacle[] {
  return PLAIN_PROGRAM.test(argv[0] ?? '') ? [] : [{ what: 'runs a program whose name is not plain text' }];
}

/** Found by its name, or lying where such programs lie: not a file of the same name in some folder. */
function isSystemProgram(program: string): boolean {
  const name = programName(program);
  return program === name || SYSTEM_FOLDERS.some((folder) => program === `${folder}/${name}`);
}
