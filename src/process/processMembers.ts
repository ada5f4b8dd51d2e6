/** The processes of this machine, and which of them belong to a session that we started. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readKernelFile } from './kernelFile';
import { readSessionMark } from './sessionMark';

/** Rows read before others get their turn: about 2 ms. */
const ROWS_PER_TURN = 128;

export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  /** Pid of the leader of its operating-system session; on macOS, which shows none, of its process group. */
  readonly sessionPid: number;
  /** Tells a process from a later one with the same pid. */
  readonly startTime: string;
  /** Name of the program as the system shortens it. */
  readonly name: string;
  /** The mark of the session that it was started in; `undefined` where there is none, or where that cannot be known. */
  readonly mark: string | undefined;
}

/** The rows of the last listing: what a process was started with does not change, and is not read again. */
let known: ReadonlyMap<number, ProcessRow> = new Map();
let listing: Promise<readonly ProcessRow[]> | undefined;

/**
 * Everything that lives, without what has ended and waits to be reaped. Empty where it cannot be known.
 * Whoever asks while a listing is under way gets that one: many sessions that end at once cost no more than one.
 */
export function listProcesses(): Promise<readonly ProcessRow[]> {
  listing ??= listNow().finally(() => {
    listing = undefined;
  });
  return listing;
}

async function listNow(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return listFromProc();
  if (process.platform === 'darwin') return listFromPs();
  return [];
}

async function listFromProc(): Promise<readonly ProcessRow[]> {
  const rows: ProcessRow[] = [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const [index, pid] of pids.entries()) {
    if (index % ROWS_PER_TURN === 0) await nextTurn();
    const row = readRow(Number(pid));
    if (row !== undefined) rows.push(row);
  }
  known = new Map(rows.map((row) => [row.pid, row]));
  return rows;
}

function readRow(pid: number): ProcessRow | undefined {
  let stat: string;
  try {
    // These files are made by the kernel as they are read: a thread for each would cost more than the reading.
    stat = readKernelFile(`/proc/${pid}/stat`);
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
  // "pid (name) state ppid pgrp session …", man 5 proc; the name may itself contain parentheses and spaces.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state, parent, , session] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  const startTime = fields[19] ?? '';
  const before = known.get(pid);
  return {
    pid,
    parentPid: Number(parent),
    sessionPid: Number(session),
    startTime,
    mark: before?.startTime === startTime ? before.mark : readSessionMark(pid),
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
  };
}

/** From the manual of ps(1), not tried. */
function listFromPs(): Promise<readonly ProcessRow[]> {
  return new Promise((resolve) => {
    execFile('/bin/ps', ['-axo', 'pid=,ppid=,pgid=,lstart=,ucomm='], (error, stdout) => {
      const lines = error === null ? stdout.split('\n').filter((line) => line.trim() !== '') : [];
      resolve(lines.map(parsePsLine));
    });
  });
}

function parsePsLine(line: string): ProcessRow {
  // The start time has five words: "Mon Nov 30 17:00:00 2026".
  const [pid, parentPid, group, ...rest] = line.trim().split(/\s+/);
  return {
    pid: Number(pid),
    parentPid: Number(parentPid),
    sessionPid: Number(group),
    startTime: rest.slice(0, 5).join(' '),
    name: rest.slice(5).join(' '),
    mark: undefined,
  };
}

/** Sends a signal to one process. `false` when it is gone already. */
export function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // ESRCH: ended meanwhile. EPERM: it changed its user and is not ours to signal.
    return false;
  }
}
