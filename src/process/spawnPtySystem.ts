/**
 * Starts programs by posix_spawn, for Linux with glibc 2.34 or later. A fork copies the page tables of a large editor process,
 * which blocks it for 5 to 90 ms and grows with its memory; a spawn takes a fraction of a millisecond in a process of any size,
 * needs no thread per program, and reports a program that cannot be executed as an error instead of as exit code 1.
 */
import { closeSync, constants, writeSync } from 'node:fs';
import { constants as systemConstants } from 'node:os';
import { watchChild } from './childReaper';
import type { TerminalSize } from './execProcess';
import { libc } from './libc';
import type { PtySpawn, PtySystem, SpawnedPty } from './ptySystem';

/** Larger than the opaque structures of glibc (80, 336 and 128 bytes on 64-bit machines). */
const ACTIONS_BYTES = 256;
const ATTRIBUTES_BYTES = 512;
const SIGNAL_SET_BYTES = 128;
const TERMIOS_BYTES = 128;
const DEVICE_PATH_BYTES = 64;

/** From the headers of Linux and glibc, the same on x86-64 and arm64. */
const O_CLOEXEC = 0o2000000;
const TIOCSWINSZ = 0x5414;
const IUTF8 = 0o40000;
const TCSANOW = 0;
const MFD_CLOEXEC = 1;
const POSIX_SPAWN_SETSIGDEF = 0x04;
const POSIX_SPAWN_SETSIGMASK = 0x08;
const POSIX_SPAWN_SETSID = 0x80;

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

/** Throws where the C library lacks one of the calls. */
export function createSpawnPtySystem(): PtySystem {
  if (process.platform !== 'linux') throw new Error('posix_spawn on a terminal is used on Linux only');
  for (const find of Object.values(libc)) find();
  return { reportsFailures: true, spawn: spawnOnTerminal, resize: setSize };
}

function spawnOnTerminal(options: PtySpawn): SpawnedPty {
  const { fd, device } = openTerminal(options.size);
  try {
    const pid = spawnOn(device, options);
    watchChild(pid, options.onExit);
    return { fd, pid, device };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openTerminal(size: TerminalSize): { fd: number; device: string } {
  const fd = libc.openTerminal()(constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) throw new Error('no terminal is free (posix_openpt)');
  const name = Buffer.alloc(DEVICE_PATH_BYTES);
  const isReady =
    libc.grantTerminal()(fd) === 0 && libc.unlockTerminal()(fd) === 0 && libc.terminalName()(fd, name, name.length) === 0;
  if (!isReady) {
    closeSync(fd);
    throw new Error('the terminal could not be set up (grantpt, unlockpt, ptsname)');
  }
  setSize(fd, size);
  eraseWholeCharacters(fd);
  return { fd, device: name.toString('latin1', 0, name.indexOf(0)) };
}

function setSize(fd: number, { cols, rows }: TerminalSize): void {
  const windowSize = Buffer.alloc(8);
  windowSize.writeUInt16LE(rows, 0);
  windowSize.writeUInt16LE(cols, 2);
  libc.ioctl()(fd, TIOCSWINSZ, 'const uint8_t *', windowSize);
}

/** Backspace in line mode takes back a character of UTF-8, and not one byte of it. */
function eraseWholeCharacters(fd: number): void {
  const termios = Buffer.alloc(TERMIOS_BYTES);
  if (libc.tcgetattr()(fd, termios) !== 0) return;
  termios.writeUInt32LE(termios.readUInt32LE(0) | IUTF8, 0);
  libc.tcsetattr()(fd, TCSANOW, termios);
}

function spawnOn(device: string, { program, argv, env, cwd, stdin }: PtySpawn): number {
  const input = stdin === undefined ? undefined : openInput(stdin);
  const actions = Buffer.alloc(ACTIONS_BYTES);
  libc.actionsInit()(actions);
  // A new session has no terminal; the first one that its leader opens becomes its own.
  libc.addOpen()(actions, STDOUT, device, constants.O_RDWR, 0);
  libc.addDuplicate()(actions, STDOUT, STDERR);
  libc.addDuplicate()(actions, input ?? STDOUT, STDIN);
  libc.addChangeDirectory()(actions, cwd);
  libc.addCloseFrom()(actions, STDERR + 1);
  const pid = [0];
  const errorNumber = libc.spawn()(pid, program, actions, sessionAttributes(), [...argv, null], [...env, null]);
  libc.actionsDestroy()(actions);
  if (input !== undefined) closeSync(input);
  if (errorNumber !== 0) throw new Error(`${errorName(errorNumber)} (posix_spawn)`);
  return pid[0] ?? 0;
}

/** A file in memory that nobody else can reach, to be read from its beginning. */
function openInput(bytes: Buffer): number {
  const fd = libc.createMemoryFile()('stdin', MFD_CLOEXEC);
  if (fd < 0) throw new Error('the input could not be kept (memfd_create)');
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, done);
  return fd;
}

let cachedAttributes: Buffer | undefined;

/** A session of its own, with every signal as a program expects it and none blocked. */
function sessionAttributes(): Buffer {
  if (cachedAttributes !== undefined) return cachedAttributes;
  const attributes = Buffer.alloc(ATTRIBUTES_BYTES);
  const allSignals = Buffer.alloc(SIGNAL_SET_BYTES);
  libc.fillSignals()(allSignals);
  libc.attributesInit()(attributes);
  libc.setFlags()(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  libc.setDefaultSignals()(attributes, allSignals);
  libc.setBlockedSignals()(attributes, Buffer.alloc(SIGNAL_SET_BYTES));
  cachedAttributes = attributes;
  return attributes;
}

function errorName(errorNumber: number): string {
  const found = Object.entries(systemConstants.errno).find(([, number]) => number === errorNumber);
  return found?.[0] ?? `error ${errorNumber}`;
}
