/** A session as it is left with a host that runs its program on while the window reloads, possibly into another version of us. */
import type { SessionPlace } from './sessionInfo';
import type { SessionRequest } from './sessionRequest';

/** A request with all that was decided for it. */
export interface StartedRequest extends SessionRequest {
  readonly environment: SessionPlace;
  readonly cwd: string;
  readonly shell: string;
  readonly isLogin: boolean;
  readonly hasAgentPagers: boolean;
  readonly omittedVariables: readonly string[];
  /** Of the user, as the session's own environment says; `undefined` on another machine. */
  readonly home: string | undefined;
}

export interface SessionRecord {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly request: StartedRequest;
}

/** Raised when a record of before could be misread. */
const VERSION = 2;

export function writeSessionRecord({ id, startedAt, request: { stdin, ...request } }: SessionRecord): string {
  return JSON.stringify({ version: VERSION, id, startedAt, request, stdin: stdin?.toString('base64') });
}

/** `undefined` for what another version wrote, or nobody of us. */
export function readSessionRecord(text: string): SessionRecord | undefined {
  try {
    const { version, id, startedAt, request, stdin } = JSON.parse(text) as Partial<SessionRecord> & {
      readonly version?: number;
      readonly stdin?: string;
    };
    if (version !== VERSION || id === undefined || startedAt === undefined || request === undefined) return undefined;
    return { id, startedAt, request: { ...request, ...(stdin !== undefined && { stdin: Buffer.from(stdin, 'base64') }) } };
  } catch {
    return undefined;
  }
}
