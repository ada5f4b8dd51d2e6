/** What the window says about a session, in the same words in its tab and in the list. */
import type { Session } from '../session/session';
import { isElsewhere } from '../session/sessionInfo';
import type { SessionState } from '../session/sessionState';
import { type ActiveSession, activityOf } from './activity';
import type { Localization } from './localization';
import { oneLine } from './oneLine';

type EndedState = Extract<SessionState, { readonly kind: 'ended' }>;

const WORD_JOINER = '\u2060';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An end this fresh needs no age. */
const JUST_NOW_MS = 5_000;
/** Of what a client calls itself, in a row that has more to say. */
const MAX_CLIENT_CHARS = 20;
/** A window in a browser is remote by the address of its server: this one names no other machine. */
const LOOPBACK_ADDRESS = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

export interface RowContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Of the window, as VS Code says it. */
  readonly remoteName: string | undefined;
}

/** What stands in tabs, lists and pickers, most of which would draw `$(date)` as an icon: a character without width keeps it text. */
export function sessionTitle({ info }: Pick<Session, 'info'>): string {
  const title = oneLine(info.title).replaceAll('$(', `$${WORD_JOINER}(`);
  return title === '' ? String(info.id) : title;
}

/** What its terminal tab is called: the title with the environment if that is another machine, and how it ended or that the user has taken it over. */
export function tabName(session: Pick<Session, 'info' | 'state' | 'holder'>, l10n: Localization): string {
  const { environment } = session.info;
  const name = sessionTitle(session);
  const title = isElsewhere(session.info) ? l10n.t('{0} on {1}', name, environment.id) : name;
  if (session.state.kind === 'ended') return `${title} (${endWords(session.state, l10n)})`;
  return session.holder === 'user' ? l10n.t('{0} (held by you)', title) : title;
}

/** How a session ended, such as `exit code 3`. */
export function endWords({ reason, status }: EndedState, l10n: Localization): string {
  switch (reason) {
    case 'terminatedByAgent':
      return l10n.t('ended by the agent');
    case 'terminatedByUser':
      return l10n.t('ended by you');
    case 'tabClosed':
      return l10n.t('ended by closing its tab');
    case 'shutdown':
      return l10n.t('ended with the window');
    case 'windowReloaded':
      return l10n.t('ended with the window before');
    case 'hostLost':
      return l10n.t('host lost');
    case 'exited':
    case 'signal':
      return status?.kind === 'signal'
        ? l10n.t('ended by signal {0}', status.signal)
        : l10n.t('exit code {0}', status?.kind === 'code' ? String(status.code) : '');
  }
}

/** What a running session does, such as `waiting for input`. */
export function activityWords(session: ActiveSession, l10n: Localization): string {
  switch (activityOf(session)) {
    case 'working':
      return l10n.t('running');
    case 'ready':
      return l10n.t('ready');
    case 'asking':
      return l10n.t('waiting for input');
    case 'askingHidden':
      return l10n.t('waiting for hidden input');
    case 'screen':
      return l10n.t('waiting for keys');
    case 'listening':
      return l10n.t('listening');
  }
}

/** One line under or beside the title: the state, who holds it where that is not everybody, and its age. */
export function stateWords(session: ActiveSession, nowMs: number, l10n: Localization): string {
  const { state, info, holder } = session;
  if (state.kind === 'running') {
    const age = durationWords(nowMs - info.startedAt, l10n);
    const activity = activityWords(session, l10n);
    return holder === 'user' ? l10n.t('{0} · held by you · {1}', activity, age) : l10n.t('{0} · {1}', activity, age);
  }
  const agoMs = nowMs - state.endedAt;
  const end = endWords(state, l10n);
  return agoMs < JUST_NOW_MS ? end : l10n.t('{0} · {1} ago', end, durationWords(agoMs, l10n));
}

/**
 * What a row says beside the title: the state with its age, then in a word who started it, and where it runs if that is another
 * machine, such as `running · 5 s · claude-code · ssh-remote`.
 */
export function rowWords(session: ActiveSession, { nowMs, remoteName }: RowContext, l10n: Localization): string {
  const remote = otherMachine(session, remoteName);
  const words = [stateWords(session, nowMs, l10n), starterWord(session, l10n), ...(remote === undefined ? [] : [remote])];
  return words.join(' · ');
}

/**
 * Where a session runs, if that is another machine: its environment, else the remote of the window as VS Code names it; `undefined`
 * where that names no other machine.
 */
export function otherMachine({ info }: Pick<Session, 'info'>, remoteName: string | undefined): string | undefined {
  if (isElsewhere(info)) return info.environment.id;
  return remoteName === undefined || LOOPBACK_ADDRESS.test(remoteName) ? undefined : remoteName;
}

/** Who started the session, as short as it goes. */
function starterWord({ info: { startedBy, client } }: Pick<Session, 'info'>, l10n: Localization): string {
  switch (startedBy) {
    case 'chat':
      return l10n.t('chat');
    case 'cliAgent':
      return client === undefined ? l10n.t('CLI agent') : oneLine(client, MAX_CLIENT_CHARS);
    case 'codex':
      return l10n.t('Codex');
    case 'user':
      return l10n.t('you');
  }
}

/** Who started the session, such as `a command-line agent (claude-code)`. */
export function starterWords({ info: { startedBy, client } }: Pick<Session, 'info'>, l10n: Localization): string {
  const named = (starter: string): string => (client === undefined ? starter : `${starter} (${oneLine(client)})`);
  switch (startedBy) {
    case 'chat':
      return named(l10n.t('an agent in the chat'));
    case 'cliAgent':
      return named(l10n.t('a command-line agent'));
    case 'codex':
      return named(l10n.t('Codex'));
    case 'user':
      return l10n.t('you');
  }
}

export function durationWords(durationMs: number, l10n: Localization): string {
  const ms = Math.max(0, durationMs);
  if (ms < MINUTE_MS) return l10n.t('{0} s', Math.floor(ms / 1_000));
  if (ms < HOUR_MS) return l10n.t('{0} min', Math.floor(ms / MINUTE_MS));
  return l10n.t('{0} h {1} min', Math.floor(ms / HOUR_MS), Math.floor((ms % HOUR_MS) / MINUTE_MS));
}
