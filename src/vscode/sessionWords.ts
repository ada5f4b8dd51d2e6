/** What the window says about a session, in the same words in its tab and in the list. */
import type { Session } from '../session/session';
import type { SessionState } from '../session/sessionState';
import type { Localization } from './localization';
import { oneLine } from './oneLine';

type EndedState = Extract<SessionState, { readonly kind: 'ended' }>;

const WORD_JOINER = '\u2060';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An end this fresh needs no age. */
const JUST_NOW_MS = 5_000;

/** What stands in tabs, lists and pickers, most of which would draw `$(date)` as an icon: a character without width keeps it text. */
export function sessionTitle({ info }: Pick<Session, 'info'>): string {
  const title = oneLine(info.title).replaceAll('$(', `$${WORD_JOINER}(`);
  return title === '' ? String(info.id) : title;
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
    case 'hostLost':
      return l10n.t('host lost');
    case 'exited':
    case 'signal':
      return status?.kind === 'signal'
        ? l10n.t('ended by signal {0}', status.signal)
        : l10n.t('exit code {0}', status?.kind === 'code' ? String(status.code) : '');
  }
}

/** One line under or beside the title: the state, and how long it has been so. */
export function stateWords(session: Pick<Session, 'info' | 'state'>, nowMs: number, l10n: Localization): string {
  const { state, info } = session;
  if (state.kind === 'running') return l10n.t('running · {0}', durationWords(nowMs - info.startedAt, l10n));
  const agoMs = nowMs - state.endedAt;
  const end = endWords(state, l10n);
  return agoMs < JUST_NOW_MS ? end : l10n.t('{0} · {1} ago', end, durationWords(agoMs, l10n));
}

export function durationWords(durationMs: number, l10n: Localization): string {
  const ms = Math.max(0, durationMs);
  if (ms < MINUTE_MS) return l10n.t('{0} s', Math.floor(ms / 1_000));
  if (ms < HOUR_MS) return l10n.t('{0} min', Math.floor(ms / MINUTE_MS));
  return l10n.t('{0} h {1} min', Math.floor(ms / HOUR_MS), Math.floor((ms % HOUR_MS) / MINUTE_MS));
}
