import type { Session } from '../session/session';

/**
 * What a running session does, as people are told:
 * - `working`: none of the others, or it cannot be told on this machine
 * - `ready`: a shell at its prompt
 * - `asking`: a program that waits for input; `askingHidden`: for input that it does not show, such as a password
 * - `screen`: a full-screen program that waits for keys
 * - `listening`: a program that would take input, and may as well go on without it, like a server
 */
export type Activity = 'working' | 'ready' | 'asking' | 'askingHidden' | 'screen' | 'listening';

export type ActiveSession = Pick<Session, 'info' | 'state' | 'waitingFor' | 'isListening' | 'holder'>;

export function activityOf({ info, waitingFor, isListening }: ActiveSession): Activity {
  if (waitingFor === 'hidden') return 'askingHidden';
  if (waitingFor === 'screen') return 'screen';
  if (waitingFor !== 'input') return 'working';
  if (info.command === undefined) return 'ready';
  return isListening ? 'listening' : 'asking';
}

/**
 * Whether nothing goes on without a person: what is typed unseen is theirs alone, and so is the answer to a program that they
 * started themselves or have taken over. A question of an agent's program is not: the agent is told of it, and answers, or asks
 * the person. Nor is a shell at its prompt, or a full-screen program, which a person who wants it has in front of them.
 */
export function needsPerson(session: ActiveSession): boolean {
  if (session.state.kind === 'ended') return false;
  const activity = activityOf(session);
  if (activity === 'askingHidden') return true;
  return activity === 'asking' && (session.info.startedBy === 'user' || session.holder === 'user');
}
