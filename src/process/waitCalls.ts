/** A system call in which a thread is blocked until a descriptor has something to read. */
export type WaitCall =
  | { readonly kind: 'read'; readonly fd: number }
  | { readonly kind: 'epoll'; readonly fd: number }
  /** `address` of an array of `count` entries. */
  | { readonly kind: 'poll'; readonly address: number; readonly count: number }
  /** `address` of a bit set for descriptors below `count`; 0 for none. */
  | { readonly kind: 'select'; readonly address: number; readonly count: number };

/** System-call numbers by architecture: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux. */
const NUMBERS: Partial<Record<NodeJS.Architecture, Readonly<Record<number, WaitCall['kind']>>>> = {
  x64: {
    0: 'read',
    19: 'read',
    7: 'poll',
    271: 'poll',
    23: 'select',
    270: 'select',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll',
  },
  arm64: { 63: 'read', 65: 'read', 73: 'poll', 72: 'select', 22: 'epoll', 441: 'epoll' },
};

/** `select` and `poll` have at most this many descriptors (FD_SETSIZE). */
const MAX_DESCRIPTORS = 1_024;

/** Reads a line of `/proc/PID/syscall`: the number and six arguments, or `running`. */
export function findWaitCall(line: string, architecture = process.arch): WaitCall | undefined {
  const [number, first, second] = line.split(' ').map(Number);
  if (number === undefined || first === undefined || second === undefined) return undefined;
  const kind = NUMBERS[architecture]?.[number];
  switch (kind) {
    case 'read':
    case 'epoll':
      return { kind, fd: first };
    case 'poll':
      return { kind, address: first, count: Math.min(second, MAX_DESCRIPTORS) };
    case 'select':
      return { kind, address: second, count: Math.min(first, MAX_DESCRIPTORS) };
    case undefined:
      return undefined;
  }
}
