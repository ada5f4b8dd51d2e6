/** Who may type into a session, and why somebody may not. */
import type { InputDemand, WriteResult } from '../process/execProcess';
import type { SessionInfo } from './sessionInfo';

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

/** A person who has typed within this time sees what the program asks next. */
const PRESENT_MS = 10_000;

/** Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-\: a way out of a question, and nothing that could be a secret. */
const WAYS_OUT: readonly number[] = [0x03, 0x04, 0x1a, 0x1c];

/** Whether it could be a password: the program takes it without showing it, and it is more than a way out. */
export function isHiddenInput(bytes: Buffer, demand: InputDemand): boolean {
  const isHidden = 'isHidden' in demand && demand.isHidden;
  return isHidden && !bytes.every((byte) => WAYS_OUT.includes(byte));
}

/** Who may type into one session, and who did last. */
export class Control {
  private lastTyped: { readonly author: Author; readonly atMs: number } | undefined;
  holder: Holder = 'shared';

  constructor(
    private readonly info: Pick<SessionInfo, 'startedBy' | 'isAttended'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Why bytes are not an agent's to type; `undefined` when they are. `demand`: what the program asks for right now. */
  findRefusal(bytes: Buffer, demand: InputDemand): 'userHolds' | 'hiddenInput' | undefined {
    if (this.holder === 'user') return 'userHolds';
    return this.info.isAttended && isHiddenInput(bytes, demand) ? 'hiddenInput' : undefined;
  }

  noteTyped(author: Author): void {
    this.lastTyped = { author, atMs: this.nowMs() };
  }

  /** Whether the user sits in front of the terminal: holds it, has just typed, or typed last into a session of their own. */
  get isUserPresent(): boolean {
    if (this.holder === 'user') return true;
    const isOwn = this.info.startedBy === 'user';
    if (this.lastTyped === undefined) return isOwn;
    const { author, atMs } = this.lastTyped;
    return author === 'user' && (isOwn || this.nowMs() - atMs < PRESENT_MS);
  }
}
