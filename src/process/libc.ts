/** The calls of the C library that Node lacks. Loaded at the first use: loading a native library costs milliseconds at start. */
/* eslint-disable @typescript-eslint/max-params -- the parameters are those of the C library */
import type { KoffiFunc } from 'koffi';

type Koffi = typeof import('koffi');
type Bound<T extends (...args: never[]) => unknown> = KoffiFunc<T>;

let koffi: Koffi | undefined;

function bind<T extends (...args: never[]) => unknown>(prototype: string): Bound<T> {
  // Required, not imported: it lies beside the bundle.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  koffi ??= require('koffi') as Koffi;
  return koffi.load(null).func(prototype) as Bound<T>;
}

/** `errno` of the call before. */
export function lastErrorNumber(): number {
  return koffi?.errno() ?? 0;
}

function lazy<T extends (...args: never[]) => unknown>(prototype: string): () => Bound<T> {
  let bound: Bound<T> | undefined;
  return () => (bound ??= bind<T>(prototype));
}

/** Each throws at its first use where the library does not have it. */
export const libc = {
  read: lazy<(fd: number, bytes: Buffer, size: number) => number>(
    'intptr_t read(int fd, _Out_ uint8_t *bytes, size_t size)',
  ),
  tcgetattr: lazy<(fd: number, termios: Buffer) => number>('int tcgetattr(int fd, _Out_ uint8_t *termios)'),
  tcsetattr: lazy<(fd: number, when: number, termios: Buffer) => number>(
    'int tcsetattr(int fd, int when, const uint8_t *termios)',
  ),
  ioctl: lazy<(fd: number, request: number, type: string, argument: Buffer) => number>(
    'int ioctl(int fd, unsigned long request, ...)',
  ),
  openTerminal: lazy<(flags: number) => number>('int posix_openpt(int flags)'),
  grantTerminal: lazy<(fd: number) => number>('int grantpt(int fd)'),
  unlockTerminal: lazy<(fd: number) => number>('int unlockpt(int fd)'),
  terminalName: lazy<(fd: number, name: Buffer, size: number) => number>(
    'int ptsname_r(int fd, _Out_ char *name, size_t size)',
  ),
  createMemoryFile: lazy<(name: string, flags: number) => number>('int memfd_create(const char *name, unsigned int flags)'),
  waitForChild: lazy<(pid: number, status: number[], options: number) => number>(
    'int waitpid(int pid, _Out_ int *status, int options)',
  ),
  spawn: lazy<
    (
      pid: number[],
      program: string,
      actions: Buffer,
      attributes: Buffer,
      argv: (string | null)[],
      env: (string | null)[],
    ) => number
  >(
    'int posix_spawn(_Out_ int *pid, const char *program, const uint8_t *actions, const uint8_t *attributes, const char **argv, const char **env)',
  ),
  actionsInit: lazy<(actions: Buffer) => number>('int posix_spawn_file_actions_init(_Inout_ uint8_t *actions)'),
  actionsDestroy: lazy<(actions: Buffer) => number>('int posix_spawn_file_actions_destroy(_Inout_ uint8_t *actions)'),
  addOpen: lazy<(actions: Buffer, fd: number, path: string, flags: number, mode: number) => number>(
    'int posix_spawn_file_actions_addopen(_Inout_ uint8_t *actions, int fd, const char *path, int flags, unsigned int mode)',
  ),
  addDuplicate: lazy<(actions: Buffer, from: number, to: number) => number>(
    'int posix_spawn_file_actions_adddup2(_Inout_ uint8_t *actions, int from, int to)',
  ),
  addChangeDirectory: lazy<(actions: Buffer, path: string) => number>(
    'int posix_spawn_file_actions_addchdir_np(_Inout_ uint8_t *actions, const char *path)',
  ),
  addCloseFrom: lazy<(actions: Buffer, fd: number) => number>(
    'int posix_spawn_file_actions_addclosefrom_np(_Inout_ uint8_t *actions, int fd)',
  ),
  attributesInit: lazy<(attributes: Buffer) => number>('int posix_spawnattr_init(_Inout_ uint8_t *attributes)'),
  setFlags: lazy<(attributes: Buffer, flags: number) => number>(
    'int posix_spawnattr_setflags(_Inout_ uint8_t *attributes, short flags)',
  ),
  setDefaultSignals: lazy<(attributes: Buffer, signals: Buffer) => number>(
    'int posix_spawnattr_setsigdefault(_Inout_ uint8_t *attributes, const uint8_t *signals)',
  ),
  setBlockedSignals: lazy<(attributes: Buffer, signals: Buffer) => number>(
    'int posix_spawnattr_setsigmask(_Inout_ uint8_t *attributes, const uint8_t *signals)',
  ),
  fillSignals: lazy<(signals: Buffer) => number>('int sigfillset(_Inout_ uint8_t *signals)'),
};
