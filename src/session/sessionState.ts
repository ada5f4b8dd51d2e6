import type { ExitStatus } from '../process/execProcess';

/** Who asked for an end, when it was not the program's own. */
export type EndRequester = 'agent' | 'user' | 'tabClosed' | 'shutdown' | 'reload';

/**
 * - `exited`, `signal`: the program's own end, by exit code or by a signal that we did not send
 * - `terminatedByAgent`, `terminatedByUser`: somebody asked us to end it
 * - `tabClosed`: the user closed its terminal tab
 * - `shutdown`: the window or server that ran it went away
 * - `windowReloaded`: the window that ran it was reloaded or closed, and only that it ran is still known
 * - `hostLost`: the machine that ran it cannot be reached any more
 */
export const END_REASONS = [
  'exited',
  'signal',
  'terminatedByAgent',
  'terminatedByUser',
  'tabClosed',
  'shutdown',
  'windowReloaded',
  'hostLost',
] as const;
export type EndReason = (typeof END_REASONS)[number];

export type SessionState =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'ended';
      readonly reason: EndReason;
      /** `undefined` while a program that was told to end has not done so yet. */
      readonly status: ExitStatus | undefined;
      /** Whether background processes held the terminal or pipe when the program ended. */
      readonly isOutputHeld: boolean;
      /** Milliseconds since the epoch. */
      readonly endedAt: number;
    };

export type EndedState = Extract<SessionState, { readonly kind: 'ended' }>;

const REASON_OF: Record<EndRequester, EndReason> = {
  agent: 'terminatedByAgent',
  user: 'terminatedByUser',
  tabClosed: 'tabClosed',
  shutdown: 'shutdown',
  reload: 'windowReloaded',
};

/** Those who do not wait for the program. */
const HASTY: readonly EndRequester[] = ['tabClosed', 'shutdown', 'reload'];

export function isHasty(requester: EndRequester): boolean {
  return HASTY.includes(requester);
}

export function endReasonOf(requester: EndRequester | undefined, status: ExitStatus): EndReason {
  if (status.kind === 'lost') return 'hostLost';
  if (requester !== undefined) return REASON_OF[requester];
  return status.kind === 'signal' ? 'signal' : 'exited';
}
