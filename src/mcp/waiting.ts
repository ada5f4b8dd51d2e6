import { PatternTimeoutError } from '../session/text/linePattern';
import type { PatternWatch } from '../session/text/patternWatch';
import type { Session } from '../session/session';
import { describeDuration, wallTimeMs } from './durations';
import { type Redaction, redactUnfinished } from './redaction';
import type { ToolCall } from './tool';
import type { Waited } from './waited';

/** How often a client that asked for it hears that its call is still waiting: often enough to look alive. */
const PROGRESS_INTERVAL_MS = 1_000;

/** What is looked at for secrets around a last line: a private key has less. */
const MASKED_CONTEXT_BYTES = 16_384;
/** What is shown of a line that somebody only glances at. */
const MAX_GLANCE_CHARACTERS = 200;

export interface Yield {
  /** How long the call waits at most, in milliseconds. */
  readonly yieldMs: number;
  /** The same, where it is less than what was asked for. */
  readonly cutYieldMs: number | undefined;
}

export function limitYield(requestedMs: number, maxYieldMs: number): Yield {
  if (requestedMs <= maxYieldMs) return { yieldMs: requestedMs, cutYieldMs: undefined };
  return { yieldMs: maxYieldMs, cutYieldMs: maxYieldMs };
}

export interface SessionWait {
  readonly yieldMs: number;
  readonly call: ToolCall;
  readonly redaction: Redaction;
  /** Stamp of the wait for input that the client knows of. */
  readonly knownWait?: string | undefined;
  readonly pattern?: PatternWatch | undefined;
  /** Whether the client knows that the user has taken over. */
  readonly wasHeld?: boolean;
}

/**
 * Waits until the program has ended and its output is drained, the pattern was printed, or the program waits for input, for at
 * most `yieldMs`. Rejects when the call is taken back; the session knows nothing of it.
 */
export async function waitForSession(session: Session, wait: SessionWait): Promise<Waited> {
  const { yieldMs, call, redaction, ...options } = wait;
  const { signal, reportProgress } = call;
  const startMs = performance.now();
  const timer = setInterval(() => {
    const message = `${describeDuration(wallTimeMs(session))}: ${lastLine(session, redaction)}`;
    reportProgress?.((performance.now() - startMs) / PROGRESS_INTERVAL_MS, message);
  }, PROGRESS_INTERVAL_MS);
  try {
    return { end: await session.wait(yieldMs, { signal, ...options }) };
  } catch (error) {
    if (error instanceof PatternTimeoutError) return { end: 'patternTooSlow', message: error.message };
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** What the program writes or wrote last, as the client may see it. */
function lastLine(session: Session, redaction: Redaction): string {
  if (!redaction.isOn()) return session.lastLine();
  // Masked before it is cut: half a secret is not known as one.
  const { text } = redactUnfinished(session.recentText(MASKED_CONTEXT_BYTES));
  return text.trimEnd().split('\n').at(-1)?.slice(-MAX_GLANCE_CHARACTERS) ?? '';
}
