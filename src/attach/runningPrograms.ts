import { isRecord } from '../execServer/wire/rpcMessage';

interface RunningProgram {
  /** Where its output goes that tells of its loss. */
  readonly stream: 'pty' | 'stderr';
  /** Of the last of its events. */
  seq: number;
  isExited: boolean;
}

/** For an end of which nothing is known. */
const UNKNOWN_EXIT_CODE = -1;

/** The programs of one client, as far as the messages that pass by tell of them. */
export class RunningPrograms {
  private programs = new Map<string, RunningProgram>();

  /** `params` of `process/start`, which may yet fail. */
  noteStart(params: unknown): void {
    if (!isRecord(params)) return;
    const { processId, tty } = params as { processId?: unknown; tty?: unknown };
    if (typeof processId !== 'string' || this.programs.has(processId)) return;
    this.programs.set(processId, { stream: tty === true ? 'pty' : 'stderr', seq: 0, isExited: false });
  }

  noteFailedStart(params: unknown): void {
    if (isRecord(params)) this.programs.delete(String(params['processId']));
  }

  /** A notification about one. */
  noteEvent(method: string, params: unknown): void {
    if (!isRecord(params)) return;
    const { processId, seq } = params as { processId?: unknown; seq?: unknown };
    const program = this.programs.get(String(processId));
    if (program === undefined || typeof seq !== 'number') return;
    program.seq = Math.max(program.seq, seq);
    if (method === 'process/exited') program.isExited = true;
    if (method === 'process/closed') this.programs.delete(String(processId));
  }

  /** Notifications by which each is over, after an output that says why. From then on there are none. */
  end(sentence: string): string[] {
    const lost = [...this.programs];
    this.programs = new Map();
    return lost.flatMap(([processId, { stream, seq, isExited }]) => {
      const chunk = Buffer.from(`\r\n[exec-sessions] ${sentence}\r\n`).toString('base64');
      const events: [method: string, rest: object][] = [
        ['process/output', { stream, chunk }],
        ...(isExited ? [] : [['process/exited', { exitCode: UNKNOWN_EXIT_CODE, sandboxDenied: false }] as [string, object]]),
        ['process/closed', {}],
      ];
      return events.map(([method, rest], index) =>
        JSON.stringify({ method, params: { processId, seq: seq + 1 + index, ...rest } }),
      );
    });
  }
}
