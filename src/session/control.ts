/** Who may type into a session, and why somebody may not. */
import type { InputDemand, WriteResult } from '../process/execProcess';

/** Who types. */
export type Author = 'agent' | 'user';
/** Who writes to a program; `terminal`: the emulator itself, in answer to a question of the program. */
export type Writer = Author | 'terminal';

/**
 * - `shared`: the user and agents both type
 * - `user`: the user has taken over; what agents type is refused
 */
export const HOLDERS = ['shared', 'user'] as const;
export type Holder = (typeof HOLDERS)[number];

export type SessionWriteResult =
  | WriteResult
  /** What an agent would have typed is the user's to type: they have taken over, or the program asks for a password. */
  | { readonly kind: 'refused'; readonly reason: 'userHolds' | 'hiddenInput' };

/** Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-\: a way out of a question, and nothing that could be a secret. */
const WAYS_OUT: readonly number[] = [0x03, 0x04, 0x1a, 0x1c];

/** Whether all of it only interrupts, ends or stops a program, so that it may be typed in place of a secret. */
export function isWayOut(bytes: Buffer): boolean {
  return bytes.every((byte) => WAYS_OUT.includes(byte));
}

/** Whether the program waits for something like a password: what is typed now will not be shown. */
export function isWaitingForHidden(demand: InputDemand): boolean {
  return 'isHidden' in demand && demand.isHidden;
}
