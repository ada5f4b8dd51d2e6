/** The one place that puts the state of a session into words for a model. */
import path from 'node:path';
import type { Session } from '../session/session';
import { TERMINATE_GRACE_MS } from '../session/session';
import { isElsewhere } from '../session/sessionInfo';
import type { EndedState, EndReason } from '../session/sessionState';
import type { News } from './clientView';
import { describeDuration, wallTimeMs } from './durations';
import type { TypedByUser } from '../session/userTyping';
import type { Redaction } from './redaction';
import type { Waited } from './waited';

/** What is in a list is to be recognised, not read. */
const MAX_LISTED_CHARACTERS = 80;

/** The last lines that the user typed; the structured reply has all that are known. */
const MAX_TOLD_LINES = 5;

export interface StatusFacts {
  readonly session: Session;
  readonly news: News;
  /** How long the call could wait, where that is less than what was asked for; in milliseconds. */
  readonly cutYieldMs?: number | undefined;
  /** How the call's wait for the session ended, if it waited. */
  readonly waited?: Waited | undefined;
  /** Whether it waited for a pattern of output. */
  readonly hasPattern?: boolean;
  /** What the login profile costs every command, in milliseconds, where that is to be told. */
  readonly slowLoginMs?: number | undefined;
  /** Where a command was not found: the start-up file, such as `.bashrc`, that its shell did not read. */
  readonly unreadStartUp?: string | undefined;
  /** Whether the program has not read all yet of what this call sent. */
  readonly isInputPending?: boolean;
  /** Whether the session had ended before this call asked for it. */
  readonly hadEnded?: boolean;
}

/** One line: how the session stands, what the output above lacks, and how to go on. */
export function statusLine(facts: StatusFacts): string {
  const { session, news, cutYieldMs, isInputPending = false, hadEnded = false } = facts;
  return [
    `Session ${session.info.id}${describePlace(session)} ${describeStateFully(session)}.`,
    hadEnded ? 'It had ended before this call; whatever it left running in the background is ended now.' : '',
    cutYieldMs === undefined ? '' : `It was waited for ${cutYieldMs} ms, the longest that one call waits.`,
    describePattern(facts),
    describeWaiting(news, session),
    describeHolder(facts),
    isInputPending ? 'The program has not read all of the input yet: the rest reaches it when it reads on.' : '',
    describeOmission(news, session),
    describeSlowLogin(facts.slowLoginMs),
    describeUnread(facts),
    describeMasked(news.maskedSecrets),
    news.isHeldBack
      ? 'The end of its last line is held back until more of it has come: it may be the beginning of a secret.'
      : '',
    describeTyping(news.typedByUser),
    session.state.kind === 'running' ? howToGoOn(session, news) : hadEnded ? '' : describeHeldOutput(session, session.state),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describePlace({ info }: Session): string {
  return isElsewhere(info) ? ` in environment ${info.environment.id}` : '';
}

function describePattern({ waited, hasPattern = false }: StatusFacts): string {
  if (!hasPattern || waited === undefined) return '';
  if (waited.end === 'matched') return 'It has printed what wait_for asks for.';
  return waited.end === 'patternTooSlow' ? waited.message : 'It has not printed what wait_for asks for.';
}

function describeWaiting({ waitingFor, isBlocked, isScreen }: News, session: Session): string {
  const screen = isScreen ? 'The output above is the screen of a full-screen program. ' : '';
  switch (waitingFor) {
    case 'hidden':
      return `${screen}It waits for input that it does not show, such as a password.${whoTypesHidden(session)}`;
    case 'input':
      return isBlocked
        ? `${screen}It waits for input.`
        : `${screen}It listens for input and is quiet: it waits for some, or for something else.`;
    case 'screen':
      return `${screen}It waits for keys.`;
    case 'none':
    case 'unknown':
      return screen.trim();
  }
}

function whoTypesHidden({ info, holder }: Session): string {
  if (holder === 'user') return '';
  return info.isAttended
    ? ` The user types that into the terminal of session ${info.id}, as the window tells them: wait for it with chars "". What you send is refused meanwhile; Ctrl-C "\\u0003" or Ctrl-D "\\u0004" alone leads out of it.`
    : ' No person can type here: send it only if the user gave it to you for this; else Ctrl-C "\\u0003" leads out of it.';
}

/** Short, for lists: `running`, `exit code 0`, `closed by the user`. */
export function describeState({ state }: Pick<Session, 'state'>): string {
  if (state.kind === 'running') return 'running';
  const end = describeEndReason(state.reason);
  const status = state.reason === 'hostLost' ? '' : describeExit(state);
  return end === undefined ? status : status === '' ? end : `${end}, ${status}`;
}

export function describeStarter({ info: { startedBy, client } }: Session): string {
  if (startedBy === 'user') return 'the user';
  return client === undefined ? 'an agent' : `an agent (${oneLine(client)})`;
}

/** Masked before it is cut: half a secret is not known as one. */
export function describeCommand({ info }: Session, { redact }: Redaction): string {
  return JSON.stringify(oneLine(redact(info.command ?? info.title).text));
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_LISTED_CHARACTERS ? line : `${line.slice(0, MAX_LISTED_CHARACTERS)}…`;
}

function describeStateFully(session: Session): string {
  const { state, info } = session;
  const duration = describeDuration(wallTimeMs(session));
  if (state.kind === 'running') return `is still running after ${duration}`;
  const exit = describeExit(state);
  // The shell explains many a failure, such as bash syntax given to fish, which may even end with code 0.
  const shell = info.command === undefined ? '' : `, run by ${info.shell}${info.isLogin ? ' as a login shell' : ''}`;
  switch (state.reason) {
    case 'exited':
    case 'signal':
      return `ended after ${duration}: ${exit}${shell}`;
    case 'terminatedByAgent':
      return `was ended by terminate_session after ${duration}: ${exit}${describeKill(state)}`;
    case 'terminatedByUser':
      return `was ended by the user after ${duration}: ${exit}${describeKill(state)}`;
    case 'tabClosed':
      return `was closed by the user, who closed its terminal tab, after ${duration}${exit === '' ? '' : `: ${exit}`}`;
    case 'shutdown':
      return `ended after ${duration} because the window or server that ran it went away`;
    case 'windowReloaded':
      return 'ended because the window that ran it was reloaded or closed: its output is gone; start it again if it is still needed';
    case 'hostLost':
      return `was lost after ${duration}: ${exit} Its end is not known; start it again where it can be reached`;
  }
}

/** Who ended it, where it was not the program itself. */
function describeEndReason(reason: EndReason): string | undefined {
  switch (reason) {
    case 'exited':
    case 'signal':
      return undefined;
    case 'terminatedByAgent':
      return 'ended by terminate_session';
    case 'terminatedByUser':
      return 'ended by the user';
    case 'tabClosed':
      return 'closed by the user';
    case 'shutdown':
      return 'ended with its window or server';
    case 'windowReloaded':
      return 'ended when its window was reloaded';
    case 'hostLost':
      return 'host lost';
  }
}

/** Empty while the end of the program is not known yet. */
function describeExit({ status }: EndedState): string {
  if (status === undefined) return '';
  switch (status.kind) {
    case 'code':
      return `exit code ${status.code}`;
    case 'signal':
      return `signal ${status.signal}`;
    case 'lost':
      return status.message;
  }
}

function describeKill({ status }: EndedState): string {
  if (status?.kind !== 'signal' || status.signal !== 'SIGKILL') return '';
  return ` (killed, because it had not ended ${TERMINATE_GRACE_MS} ms after it was asked to)`;
}

function describeOmission({ output }: News, { info }: Session): string {
  const { omittedBytes, omittedLines, totalBytes } = output;
  if (omittedBytes === 0) return '';
  return `Omitted from its middle: ${count(omittedBytes, 'byte')} with ${count(omittedLines, 'line end')}, of ${count(totalBytes, 'byte')} of new output; read_output with session_id ${info.id} reads any of it.`;
}

function describeSlowLogin(ms: number | undefined): string {
  if (ms === undefined) return '';
  return `Every command here takes at least ${describeDuration(ms)}, probably its login profile; login: false skips that.`;
}

function describeUnread({ session: { info }, unreadStartUp: file }: StatusFacts): string {
  if (file === undefined) return '';
  return `A command was probably not found (127). Its shell has read the login profile, but not what ~/${file} sets up for interactive shells; ${path.basename(info.shell)} -ic '…' has that too.`;
}

export function describeMasked(count: number): string {
  return count === 0 ? '' : `${count === 1 ? '1 secret is' : `${count} secrets are`} masked here; the terminal shows them.`;
}

function describeHolder({ session, news, waited }: StatusFacts): string {
  if (session.holder === 'user') return 'The user has taken it over and works there alone: what you send is refused.';
  return news.isGivenBack || waited?.end === 'givenBack' ? 'The user has given it back: you may type again.' : '';
}

function describeTyping({ bytes, hasHidden, lines }: TypedByUser): string {
  const told = lines.slice(-MAX_TOLD_LINES).map((line) => JSON.stringify(line));
  const which = told.length === 0 ? '' : `, ${lines.length > told.length ? 'at last' : 'such as'} ${told.join(', ')}`;
  const parts = [...(bytes > 0 ? [`${count(bytes, 'byte')}${which}`] : []), ...(hasHidden ? ['hidden input'] : [])];
  return parts.length === 0 ? '' : `The user typed ${parts.join(' and ')} into it meanwhile.`;
}

function howToGoOn({ info: { id, isTerminal, isAttended }, holder }: Session, { waitingFor }: News): string {
  if (holder === 'user') return `To wait until they give it back, call write_stdin with session_id ${id} and chars "".`;
  const more = `To see what comes next, call write_stdin with session_id ${id} and chars ""`;
  if (waitingFor === 'hidden' && isAttended) return `${more}.`;
  return `${more}${isTerminal ? '; to give it input, with chars' : ' (without a terminal it takes no input)'}.`;
}

function describeHeldOutput({ info }: Session, { isOutputHeld, reason }: EndedState): string {
  if (!isOutputHeld || reason === 'shutdown') return '';
  if (!info.isTerminal) {
    return `Background processes that it started still run and hold its output: what they print is kept for write_stdin with session_id ${info.id} and chars ""; terminate_session ends them.`;
  }
  return `Background processes still held the terminal when the shell ended: the system sent them a hang-up (SIGHUP), which ends all that do not ignore it. What the others print is kept for write_stdin with session_id ${info.id} and chars ""; terminate_session ends them.`;
}

function count(amount: number, unit: string): string {
  return `${amount.toLocaleString('en-US')} ${unit}${amount === 1 ? '' : 's'}`;
}
