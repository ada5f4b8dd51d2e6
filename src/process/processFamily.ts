import { listProcesses, type ProcessRow } from './processMembers';

export interface FamilyOrigin {
  readonly leaderPid: number;
  /** Whether the leader has ended and been reaped. */
  readonly isLeaderGone: () => boolean;
  /** What `SESSION_MARK` is in the environment that it was given; `undefined`: it has no mark. */
  readonly mark: string | undefined;
}

/**
 * A program and all that it has started: the members of its session, its descendants in sessions of their own, those that carry
 * its mark (daemons), and whatever was one of these when it was looked at last. What was cut off from it before the first look
 * and has no mark, because it was started with an environment of its own, cannot be known.
 */
export class ProcessFamily {
  /** Start times of members seen so far, by pid. */
  private readonly seen = new Map<number, string>();

  constructor(private readonly origin: FamilyOrigin) {}

  /** Those that live now. */
  async members(): Promise<readonly ProcessRow[]> {
    const { leaderPid, isLeaderGone, mark } = this.origin;
    const rows = await listProcesses();
    // A pid is not given away while it still names a session: if somebody has it, the session is gone, and this is another one.
    const isReused = isLeaderGone() && rows.some(({ pid }) => pid === leaderPid);
    const family = new Set<number>(isReused ? [] : [leaderPid]);
    const belongs = (row: ProcessRow): boolean =>
      this.seen.get(row.pid) === row.startTime ||
      family.has(row.parentPid) ||
      (mark !== undefined && row.mark === mark) ||
      (!isReused && row.sessionPid === leaderPid);
    for (let size = -1; size !== family.size;) {
      size = family.size;
      for (const row of rows) if (belongs(row)) family.add(row.pid);
    }
    const living = rows.filter(({ pid }) => family.has(pid));
    for (const { pid, startTime } of living) this.seen.set(pid, startTime);
    return living;
  }
}
