import type { Session } from '../session/session';

/** Running sessions first, and the newest first among equals; `sessions` are in the order of their start. */
export function inListOrder(sessions: readonly Session[]): Session[] {
  const newestFirst = [...sessions].reverse();
  const isRunning = ({ state }: Session): boolean => state.kind === 'running';
  return [...newestFirst.filter(isRunning), ...newestFirst.filter((session) => !isRunning(session))];
}
