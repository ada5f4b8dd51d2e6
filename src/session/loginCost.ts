/** Commands that have to have ended before the shortest of them says something about the profile. */
const ENOUGH_COMMANDS = 5;
/** What nobody notices per command is not worth a word. */
const SLOW_MS = 300;

/**
 * What the login profile costs every command, from above: no command of a login shell can be shorter. It cannot be kept from one
 * command to the next: what a profile does depends on more than its own files (versions chosen elsewhere, folders that exist,
 * programs that it runs), so that a copy of its result would silently be an old one. But it can be told.
 */
export class LoginCost {
  private readonly shortest = new Map<string, { count: number; ms: number }>();
  private hasTold = false;

  /** A command that `shell` ran as a login shell has ended by itself after `wallTimeMs`. */
  note(shell: string, wallTimeMs: number): void {
    const known = this.shortest.get(shell) ?? { count: 0, ms: Infinity };
    this.shortest.set(shell, { count: known.count + 1, ms: Math.min(known.ms, wallTimeMs) });
  }

  /** The cost in milliseconds where it is worth telling, and only the first time. */
  takeSlowMs(shell: string): number | undefined {
    const known = this.shortest.get(shell);
    if (this.hasTold || known === undefined || known.count < ENOUGH_COMMANDS || known.ms < SLOW_MS) return undefined;
    this.hasTold = true;
    return known.ms;
  }
}
