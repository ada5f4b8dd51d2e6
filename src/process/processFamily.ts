import { listProcesses, type ProcessRow } from './processMembers';

/**
 * A program and all that it has started: the members of its session, its descendants in sessions of their own (daemons), and
 * whatever was one of these when it was looked at last. What was cut off from it before the first look cannot be known.
 */
export class ProcessFamily {
  /** Start times of members seen so far, by pid. */
  private readonly seen = new Map<number, string>();

  constructor(
    private readonly leaderPid: number,
    /** Whether the leader has ended and been reaped. */
    private readonly isLeaderGone: () => boolean,
  ) {}

  /** Those that live now. */
  async members(): Promise<readonly ProcessRow[]> {
    const rows = await listProcesses();
    // A pid is not given away while it still names a session: if somebody has it, the session is gone, and this is another one.
    const isReused = this.isLeaderGone() && rows.some(({ pid }) => pid === this.leaderPid);
    const family = new Set<number>(isReused ? [] : [this.leaderPid]);
    const belongs = (row: ProcessRow): boolean =>
      this.seen.get(row.pid) === row.startTime ||
      family.has(row.parentPid) ||
      (!isReused && row.sessionPid === this.leaderPid);
    for (let size = -1; size !== family.size;) {
      size = family.size;
      for (const row of rows) if (belongs(row)) family.add(row.pid);
    }
    const living = rows.filter(({ pid }) => family.has(pid));
    for (const { pid, startTime } of living) this.seen.set(pid, startTime);
    return living;
  }
}
