import type { ExitStatus } from './execProcess';
import { libc } from './libc';
import { signalName } from './nodePtySystem';

const WNOHANG = 1;

const running = new Map<number, (status: ExitStatus) => void>();
let isListening = false;

/**
 * Calls `onExit` once the child `pid` of this process has ended, having reaped it. Costs no thread: the kernel's SIGCHLD says
 * that someone has ended, and each of our own children is asked by its id, so that nobody else's are taken away.
 */
export function watchChild(pid: number, onExit: (status: ExitStatus) => void): void {
  running.set(pid, onExit);
  if (!isListening) {
    isListening = true;
    process.on('SIGCHLD', reapAll);
  }
  // It may have ended before anybody listened.
  setImmediate(reapAll);
}

function reapAll(): void {
  for (const [pid, onExit] of running) {
    const status = [0];
    const reaped = libc.waitForChild()(pid, status, WNOHANG);
    if (reaped === 0) continue;
    running.delete(pid);
    onExit(reaped === pid ? toExitStatus(status[0] ?? 0) : { kind: 'signal', signal: 'unknown (reaped by another)' });
  }
}

/** The status word of wait(2): the signal in the low seven bits, else the code in the next byte. */
function toExitStatus(word: number): ExitStatus {
  const signal = word & 0x7f;
  return signal === 0 ? { kind: 'code', code: (word >> 8) & 0xff } : { kind: 'signal', signal: signalName(signal) };
}
