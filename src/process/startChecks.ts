/**
 * What can be known to be wrong before a program is started. The operating system would report most of it as text on the
 * terminal and exit code 1, which nobody can tell from a failing command.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ProcessSpec, StartFailure } from './execProcess';
import { findProgram } from './programPath';

/** MAX_ARG_STRLEN of Linux (32 pages), terminating NUL included: the limit of one argument or one environment entry. */
export const MAX_ARGUMENT_BYTES = 131_072;
/** Linux gives arguments and environment together a quarter of the stack limit, but never more than 6 MiB (man 2 execve). */
const MAX_TOTAL_CEILING_BYTES = 6 * 1024 * 1024;
/** A quarter of the usual 8 MiB stack: where the limit cannot be read. */
const DEFAULT_TOTAL_BYTES = 2 * 1024 * 1024;
const POINTER_BYTES = 8;

/** All that can be known, each piece asked of the system: for systems that do not report it, and to say what one refused. */
export function findStartFailure(spec: ProcessSpec): StartFailure | undefined {
  return findNul(spec) ?? findBadCwd(spec.cwd) ?? findMissingProgram(spec) ?? findTooLong(spec);
}

/** What no system call would refuse: it would run something else, or somewhere else. */
export function findUnsendable(spec: ProcessSpec): StartFailure | undefined {
  return findNul(spec) ?? (path.isAbsolute(spec.cwd) ? undefined : findBadCwd(spec.cwd));
}

function findNul({ argv, cwd, env }: ProcessSpec): StartFailure | undefined {
  const texts = [...argv, cwd, ...Object.keys(env), ...Object.values(env)];
  // Nearly always there is none, and then nobody has to be told where.
  if (!texts.some((text) => text.includes('\0'))) return undefined;
  const places: [string, string][] = [
    ...argv.map((argument, index): [string, string] => [index === 0 ? 'the program' : `argument ${index}`, argument]),
    ['the working directory', cwd],
    ...Object.entries(env).map(([name, value]): [string, string] => [
      `the environment variable ${JSON.stringify(name)}`,
      `${name}=${value}`,
    ]),
  ];
  const found = places.find(([, text]) => text.includes('\0'));
  if (found === undefined) return undefined;
  return {
    kind: 'nulByte',
    message: `A NUL character is not allowed in ${found[0]} (at offset ${found[1].indexOf('\0')}): the system would cut the text there. Remove it, or write it as an escape such as \\0 in printf.`,
  };
}

function findBadCwd(cwd: string): StartFailure | undefined {
  const bad = (problem: string): StartFailure => ({
    kind: 'badCwd',
    message: `The working directory ${JSON.stringify(cwd)} ${problem}. Give the absolute path of an existing directory.`,
  });
  if (!path.isAbsolute(cwd)) return bad('is not an absolute path');
  try {
    if (!statSync(cwd).isDirectory()) return bad('is not a directory');
    accessSync(cwd, constants.X_OK);
  } catch (error) {
    return bad(isNotFound(error) ? 'does not exist' : 'cannot be entered (permission denied)');
  }
  return undefined;
}

function findMissingProgram({ argv, cwd, env }: ProcessSpec): StartFailure | undefined {
  const [program] = argv;
  // Windows looks programs up by rules of its own (PATHEXT, application paths): there the start itself reports it.
  if (process.platform === 'win32' || findProgram(program, cwd, env['PATH']) !== undefined) return undefined;
  const where = program.includes('/') ? 'is not an executable file' : 'was not found on the PATH';
  return {
    kind: 'programNotFound',
    message: `The program ${JSON.stringify(program)} ${where}. Give the path of an installed program.`,
  };
}

function findTooLong({ argv, env }: ProcessSpec): StartFailure | undefined {
  if (process.platform === 'win32') return undefined;
  const entries = [
    ...argv.map((argument, index) => ({ name: `argument ${index}`, bytes: Buffer.byteLength(argument) + 1 })),
    ...Object.entries(env).map(([name, value]) => ({
      name: `the environment variable ${name}`,
      bytes: Buffer.byteLength(name) + Buffer.byteLength(value) + 2,
    })),
  ];
  const advice = 'Write long text to a file and name the file in the command.';
  const longest = entries.find((entry) => entry.bytes > MAX_ARGUMENT_BYTES);
  if (longest !== undefined) {
    return {
      kind: 'argumentTooLong',
      message: `${capitalize(longest.name)} has ${longest.bytes - 1} bytes; the system takes at most ${MAX_ARGUMENT_BYTES - 1}. ${advice}`,
    };
  }
  const totalBytes = entries.reduce((sum, entry) => sum + entry.bytes + POINTER_BYTES, 0);
  if (totalBytes <= maxTotalBytes()) return undefined;
  return {
    kind: 'argumentTooLong',
    message: `Arguments and environment together have ${totalBytes} bytes; the system takes at most ${maxTotalBytes()}. ${advice}`,
  };
}

let cachedTotalBytes: number | undefined;

function maxTotalBytes(): number {
  cachedTotalBytes ??= readTotalBytes();
  return cachedTotalBytes;
}

function readTotalBytes(): number {
  try {
    const softLimit = /^Max stack size\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    if (softLimit === undefined) return MAX_TOTAL_CEILING_BYTES;
    return Math.max(MAX_ARGUMENT_BYTES, Math.min(MAX_TOTAL_CEILING_BYTES, Number(softLimit) / 4));
  } catch {
    // No /proc: not Linux.
    return DEFAULT_TOTAL_BYTES;
  }
}

function isNotFound(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
