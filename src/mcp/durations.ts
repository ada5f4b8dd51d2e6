import type { Session } from '../session/session';

const MS_PER_SECOND = 1_000;
export const MS_PER_MINUTE = 60_000;
/** From here on tenths of a second say nothing. */
const WHOLE_SECONDS_FROM_MS = 60_000;

/** How long the program has run, or ran, in milliseconds. */
export function wallTimeMs({ info, state }: Session): number {
  return Math.max(0, (state.kind === 'ended' ? state.endedAt : Date.now()) - info.startedAt);
}

export function describeDuration(ms: number): string {
  const seconds = ms / MS_PER_SECOND;
  return ms < WHOLE_SECONDS_FROM_MS ? `${seconds.toFixed(ms < MS_PER_SECOND ? 2 : 1)} s` : `${Math.round(seconds)} s`;
}
