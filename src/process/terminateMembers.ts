import { setTimeout as delay } from 'node:timers/promises';
import { TERMINATE_GRACE_MS, type TerminateResult } from './execProcess';
import { type FamilyOrigin, ProcessFamily } from './processFamily';
import { trySignal } from './processMembers';

/** An interactive shell ignores SIGTERM but honours the hang-up of its terminal. Later, so that SIGTERM handlers get to finish. */
const HANGUP_AFTER_MS = 500;
/** How often to look whether everyone is gone: short against the grace, long against the cost of reading /proc. */
const POLL_MS = 20;
/** How long the kernel may take to remove what was killed; longer means stuck in a device and out of our hands. */
const KILL_WAIT_MS = 1_000;

/** Ends a program and all that it has started: SIGTERM, SIGHUP to those that stay, SIGKILL after the grace. */
export async function terminateMembers(origin: FamilyOrigin): Promise<TerminateResult> {
  const startMs = performance.now();
  const family = new ProcessFamily(origin);
  const isEveryoneGone = async (): Promise<boolean> => origin.isLeaderGone() && (await family.members()).length === 0;
  const waitUntil = async (deadlineMs: number): Promise<boolean> => {
    while (performance.now() - startMs < deadlineMs) {
      if (await isEveryoneGone()) return true;
      await delay(POLL_MS);
    }
    return isEveryoneGone();
  };
  // A stopped process handles nothing until it continues.
  await signalAll(family, ['SIGTERM', 'SIGCONT']);
  if (await waitUntil(HANGUP_AFTER_MS)) return 'ended';
  await signalAll(family, ['SIGHUP', 'SIGCONT']);
  if (await waitUntil(TERMINATE_GRACE_MS)) return 'ended';
  await signalAll(family, ['SIGKILL']);
  await waitUntil(TERMINATE_GRACE_MS + KILL_WAIT_MS);
  return 'killed';
}

async function signalAll(family: ProcessFamily, signals: readonly NodeJS.Signals[]): Promise<void> {
  for (const { pid } of await family.members()) for (const signal of signals) trySignal(pid, signal);
}
