import { readKernelFile } from './kernelFile';

/**
 * The variable that is in the environment of everything that a session starts, with a value that nothing else has. By it a
 * program is found again that has cut itself off: a session of its own, another parent, no output of ours. It is no secret.
 */
export const SESSION_MARK = 'EXEC_SESSIONS_SESSION';

const ENTRY = `${SESSION_MARK}=`;

/** The mark that a process was started with; `undefined` where it has none, or hides its environment from us. Linux only. */
export function readSessionMark(pid: number): string | undefined {
  try {
    // The environment as it was at the start: what the program changed in its own since then is not in there.
    const entries = readKernelFile(`/proc/${pid}/environ`).split('\0');
    return entries.find((entry) => entry.startsWith(ENTRY))?.slice(ENTRY.length);
  } catch {
    // It belongs to somebody else, or has ended.
    return undefined;
  }
}
