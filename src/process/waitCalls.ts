/** How long a call waits at most: so many milliseconds, or as long as a structure in memory says. */
export type WaitLimit =
  | { readonly kind: 'none' }
  | { readonly kind: 'ms'; readonly ms: number }
  /** Seconds and a fraction, 8 bytes each. */
  | { readonly kind: 'structure'; readonly address: number; readonly fractionsPerMs: number };

/** A system call in which a thread is blocked until a descriptor has something to read. */
export type WaitCall = { readonly limit: WaitLimit } & (
  | { readonly kind: 'read'; readonly fd: number }
  | { readonly kind: 'epoll'; readonly fd: number }
  /** `address` of an array of `count` entries. */
  | { readonly kind: 'poll'; readonly address: number; readonly count: number }
  /** `address` of a bit set for descriptors below `count`; 0 for none. */
  | { readonly kind: 'select'; readonly address: number; readonly count: number }
);

interface CallForm {
  readonly kind: WaitCall['kind'];
  /** Which argument limits the wait, counted from 0, and how. */
  readonly limit?: readonly [argument: number, form: 'ms' | 'timeval' | 'timespec'];
}

const READ: CallForm = { kind: 'read' };
const PPOLL: CallForm = { kind: 'poll', limit: [2, 'timespec'] };
const PSELECT: CallForm = { kind: 'select', limit: [4, 'timespec'] };
const EPOLL: CallForm = { kind: 'epoll', limit: [3, 'ms'] };
const EPOLL2: CallForm = { kind: 'epoll', limit: [3, 'timespec'] };

/** System-call numbers by architecture: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux. */
const FORMS: Partial<Record<NodeJS.Architecture, Readonly<Record<number, CallForm>>>> = {
  x64: {
    0: READ,
    19: READ,
    7: { kind: 'poll', limit: [2, 'ms'] },
    271: PPOLL,
    23: { kind: 'select', limit: [4, 'timeval'] },
    270: PSELECT,
    232: EPOLL,
    281: EPOLL,
    441: EPOLL2,
  },
  arm64: { 63: READ, 65: READ, 73: PPOLL, 72: PSELECT, 22: EPOLL, 441: EPOLL2 },
};

/** `select` and `poll` have at most this many descriptors (FD_SETSIZE). */
const MAX_DESCRIPTORS = 1_024;

/** Reads a line of `/proc/PID/syscall`: the number and six arguments, or `running`. */
export function findWaitCall(line: string, architecture = process.arch): WaitCall | undefined {
  const [number, ...args] = line.split(' ').map(Number);
  const [first, second] = args;
  if (number === undefined || first === undefined || second === undefined) return undefined;
  const form = FORMS[architecture]?.[number];
  if (form === undefined) return undefined;
  const { kind } = form;
  const limit = limitOf(form, args);
  switch (kind) {
    case 'read':
    case 'epoll':
      return { kind, fd: first, limit };
    case 'poll':
      return { kind, address: first, count: Math.min(second, MAX_DESCRIPTORS), limit };
    case 'select':
      return { kind, address: second, count: Math.min(first, MAX_DESCRIPTORS), limit };
  }
}

function limitOf({ limit }: CallForm, args: readonly number[]): WaitLimit {
  const value = limit === undefined ? 0 : (args[limit[0]] ?? 0);
  switch (limit?.[1]) {
    case undefined:
      return { kind: 'none' };
    case 'ms':
      // A negative number of 32 bits, for ever, is shown without its sign.
      return value > 0x7fff_ffff ? { kind: 'none' } : { kind: 'ms', ms: value };
    case 'timeval':
    case 'timespec':
      if (value === 0) return { kind: 'none' };
      return { kind: 'structure', address: value, fractionsPerMs: limit[1] === 'timeval' ? 1_000 : 1_000_000 };
  }
}
