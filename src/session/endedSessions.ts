import type { Disposable } from '../base/disposable';
import type { Session } from './session';

/** How long an ended session and its unread output can still be asked for: longer than an agent's longest detour. */
export const ENDED_RETENTION_MS = 30 * 60_000;
/** Ended sessions kept at the most. */
export const MAX_ENDED_SESSIONS = 64;
/** What ended sessions may hold in memory together: about 36 that printed all that memory keeps of one. */
export const ENDED_MEMORY_BYTES = 128 * 1_024 * 1_024;
/** So many that ended last are kept however much they hold: somebody is about to read them. */
export const RECENT_SESSIONS = 8;

/** Of what there was too little, so that a session had to go before its time. */
export type Shortage = 'count' | 'memory' | 'disk';
/** Why an ended session is no longer kept; `expired`: its time was over. */
export type Removal = { readonly kind: 'expired' } | { readonly kind: 'evicted'; readonly shortage: Shortage };

export interface EndedSessionsOptions {
  /** Gets rid of a session, which then is kept no longer. */
  readonly remove: (session: Session, removal: Removal) => void;
  readonly retentionMs?: number | undefined;
  readonly memoryBytes?: number | undefined;
}

/** The ended sessions that are kept, for their time and within what they may take: where room is wanted, the oldest goes first. */
export class EndedSessions implements Disposable {
  /** In the order in which they ended. */
  private readonly timers = new Map<Session, NodeJS.Timeout>();

  constructor(private readonly options: EndedSessionsOptions) {}

  has(session: Session): boolean {
    return this.timers.has(session);
  }

  keep(session: Session): void {
    const { retentionMs = ENDED_RETENTION_MS, memoryBytes = ENDED_MEMORY_BYTES } = this.options;
    const timer = setTimeout(() => {
      this.remove(session, { kind: 'expired' });
    }, retentionMs);
    timer.unref();
    this.timers.set(session, timer);
    if (this.timers.size > MAX_ENDED_SESSIONS) this.evict('count');
    while (this.memoryBytes() > memoryBytes && this.evict('memory'));
  }

  /** Gives back the room on disk of the oldest that has any, but not of `asking`. `false` where there is none to be had. */
  makeDiskRoom(asking: Session): boolean {
    return this.evict('disk', (session) => session !== asking && session.spooledBytes > 0);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private evict(shortage: Shortage, mayGo: (session: Session) => boolean = () => true): boolean {
    const victim = [...this.timers.keys()].slice(0, -RECENT_SESSIONS).find(mayGo);
    if (victim !== undefined) this.remove(victim, { kind: 'evicted', shortage });
    return victim !== undefined;
  }

  private remove(session: Session, removal: Removal): void {
    clearTimeout(this.timers.get(session));
    this.timers.delete(session);
    this.options.remove(session, removal);
  }

  private memoryBytes(): number {
    return [...this.timers.keys()].reduce((sum, session) => sum + session.memoryBytes, 0);
  }
}
