/**
 * Whether a program waits for somebody to type, asked of the kernel and not guessed from its output: on Linux a program waits
 * for its terminal when a thread of the foreground process group is blocked in a read, poll, select or epoll on it.
 */
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { readKernelFile } from './kernelFile';
import { findWaitCall, type WaitCall, type WaitLimit } from './waitCalls';

/** As in the port, without what the terminal itself is asked for. */
export type JobDemand =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' | 'listening'; readonly stamp: string }
  /** Its program has rights of its own, such as sudo and su, and sleeps; for what, the system tells nobody without them. */
  | { readonly kind: 'guarded'; readonly stamp: string };

/** Threads and processes looked at in one go: real foreground jobs are small, and the caller must not wait. */
const MAX_LOOKED_AT = 64;
/** Longest array of descriptors read from a program that polls; more is not one that asks a human. */
const MAX_POLLED = 256;
const POLLFD_BYTES = 8;
const POLLIN = 1;
/** No person is expected to answer sooner: a program that gives up earlier only looks whether something was typed. */
const SHORTEST_QUESTION_MS = 1_000;
const TIME_BYTES = 16;
/** The state of a process that waits for something that may take long, as in ps. */
const SLEEPING = 'S';
const MS_PER_SECOND = 1_000;

export interface JobTerminal {
  /** The session leader on it. */
  readonly leaderPid: number;
  /** Path of the device, such as `/dev/pts/3`. */
  readonly device: string;
}

/**
 * What the foreground job of a terminal waits for right now. Starts no process and takes well under a millisecond.
 * `stamp` is the same in two answers if the job has neither been awake nor used processor time in between.
 */
export function findJobDemand(terminal: JobTerminal): JobDemand {
  if (process.platform !== 'linux') return { kind: 'unknown' };
  try {
    return lookAtForeground(terminal);
  } catch {
    // The leader has ended, or /proc is closed to us.
    return { kind: 'unknown' };
  }
}

interface ProcessStat {
  readonly pid: number;
  /** One letter, as in ps: `T` for stopped. */
  readonly state: string;
  readonly group: number;
  readonly foregroundGroup: number;
  /** Processor time used so far, in clock ticks. */
  readonly ticks: number;
}

function lookAtForeground({ leaderPid, device }: JobTerminal): JobDemand {
  const leader = readStat(leaderPid);
  const { foregroundGroup } = leader;
  const isLeader = foregroundGroup === leaderPid;
  // Nearly always the one that reads is the first of the job: the others are looked for only when it does not.
  const first = isLeader ? leader : tryReadStat(foregroundGroup);
  const reading = first === undefined ? undefined : findReader([first], device);
  if (reading?.kind === 'reading') return reading;
  return findReader(
    descendants(leader).filter(({ group }) => group === foregroundGroup),
    device,
  );
}

function findReader(job: readonly ProcessStat[], device: string): JobDemand {
  // A stopped program stays in the call that it was stopped in: it waits to go on, not for input.
  const awake = job.filter(({ state }) => state !== 'T');
  let listening: string | undefined;
  let guarded: string | undefined;
  for (const { pid, state } of awake) {
    for (const tid of threadsOf(pid)) {
      const demand = threadDemand(pid, tid, device);
      if (demand === undefined) continue;
      if (demand === 'guarded' && state !== SLEEPING) return { kind: 'unknown' };
      const stamp = [pid, tid, switches(pid, tid)].join(':');
      if (demand === 'reading') return { kind: 'reading', stamp };
      const ofJob = [stamp, ...awake.map(({ ticks }) => ticks)].join(':');
      if (demand === 'listening') listening ??= ofJob;
      else guarded ??= ofJob;
    }
  }
  if (listening !== undefined) return { kind: 'listening', stamp: listening };
  return guarded === undefined ? { kind: 'none' } : { kind: 'guarded', stamp: guarded };
}

/** By their ids; an only thread has that of its process. */
function threadsOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).slice(0, MAX_LOOKED_AT);
}

/** The process itself and what it started, as far as it is still attached to it. */
function descendants(root: ProcessStat): readonly ProcessStat[] {
  const found: ProcessStat[] = [];
  const queue = [root];
  for (let next = queue.shift(); next !== undefined && found.length < MAX_LOOKED_AT; next = queue.shift()) {
    found.push(next);
    const { pid } = next;
    try {
      const children = threadsOf(pid).flatMap((tid) => childrenOf(pid, tid));
      queue.push(...children.map(tryReadStat).filter((stat) => stat !== undefined));
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

function tryReadStat(pid: number): ProcessStat | undefined {
  try {
    return readStat(pid);
  } catch {
    // It has ended.
    return undefined;
  }
}

function childrenOf(pid: number, tid: string): number[] {
  const children = readKernelFile(`/proc/${pid}/task/${tid}/children`).trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

function readStat(pid: number): ProcessStat {
  const stat = readKernelFile(`/proc/${pid}/stat`);
  // "pid (name) state ppid pgrp session tty_nr tpgid … utime stime …", man 5 proc; the name may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    state: fields[0] ?? '',
    group: Number(fields[2]),
    foregroundGroup: Number(fields[5]),
    ticks: Number(fields[11]) + Number(fields[12]),
  };
}

function switches(pid: number, tid: string): string {
  const status = readKernelFile(`/proc/${pid}/task/${tid}/status`);
  return /^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? '';
}

function threadDemand(pid: number, tid: string, device: string): 'reading' | 'listening' | 'guarded' | undefined {
  const content = tryReadCall(pid, tid);
  if (content === undefined) return 'guarded';
  const call = findWaitCall(content);
  if (call === undefined || limitMs(pid, call.limit) < SHORTEST_QUESTION_MS) return undefined;
  const awaited = awaitedDescriptors(pid, call);
  const onTerminal = awaited.filter((fd) => isTerminal(pid, fd, device));
  if (onTerminal.length === 0) return undefined;
  return onTerminal.length === awaited.length ? 'reading' : 'listening';
}

/** `undefined` where we may not look. */
function tryReadCall(pid: number, tid: string): string | undefined {
  try {
    return readKernelFile(`/proc/${pid}/task/${tid}/syscall`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}

function isTerminal(pid: number, fd: number, device: string): boolean {
  try {
    const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
    return target === device || target === '/dev/tty';
  } catch {
    // Closed meanwhile.
    return false;
  }
}

function awaitedDescriptors(pid: number, call: WaitCall): readonly number[] {
  switch (call.kind) {
    case 'read':
      return [call.fd];
    case 'epoll':
      return [...readKernelFile(`/proc/${pid}/fdinfo/${call.fd}`).matchAll(/^tfd:\s+(\d+)/gm)].map(([, fd]) => Number(fd));
    case 'poll': {
      const polled = readMemory(pid, call.address, Math.min(call.count, MAX_POLLED) * POLLFD_BYTES);
      const entries = Array.from({ length: polled.length / POLLFD_BYTES }, (_, index) => index * POLLFD_BYTES);
      return entries
        .filter((at) => (polled.readInt16LE(at + 4) & POLLIN) !== 0)
        .map((at) => polled.readInt32LE(at))
        .filter((fd) => fd >= 0);
    }
    case 'select': {
      const set = call.address === 0 ? Buffer.alloc(0) : readMemory(pid, call.address, Math.ceil(call.count / 8));
      return Array.from({ length: call.count }, (_, fd) => fd).filter((fd) => ((set[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0);
    }
  }
}

function limitMs(pid: number, limit: WaitLimit): number {
  switch (limit.kind) {
    case 'none':
      return Infinity;
    case 'ms':
      return limit.ms;
    case 'structure': {
      const time = readMemory(pid, limit.address, TIME_BYTES);
      return Number(time.readBigInt64LE(0)) * MS_PER_SECOND + Number(time.readBigInt64LE(8)) / limit.fractionsPerMs;
    }
  }
}

function readMemory(pid: number, address: number, byteCount: number): Buffer {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    const bytes = Buffer.alloc(byteCount);
    return bytes.subarray(0, readSync(memory, bytes, 0, byteCount, address));
  } finally {
    closeSync(memory);
  }
}
