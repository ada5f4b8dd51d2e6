import type { LinePattern } from './linePattern';
import type { ReadableText } from './textReader';

const NEWLINE = 10;

export interface PatternWatchOptions {
  readonly pattern: LinePattern;
  /** Offset in the log from which on output counts. */
  readonly from: number;
  /** What was just typed: the terminal shows it too, and that is not what anybody waits for. */
  readonly typed?: string | undefined;
}

/** Looks for a pattern in the lines of new output, each of them once; a line that is still being written is looked at again. */
export class PatternWatch {
  private position: number;
  /** Typed lines that the terminal has not shown yet. */
  private readonly echoes: string[];

  constructor(
    private readonly text: ReadableText,
    private readonly options: PatternWatchOptions,
  ) {
    this.position = options.from;
    this.echoes = (options.typed ?? '').split(/[\r\n]+/).filter((line) => line.trim() !== '');
  }

  /** Whether the pattern has been printed by now. Throws `PatternTimeoutError`. */
  hasMatched(): boolean {
    const fresh = Buffer.concat(this.text.log.spans(this.position).map((span) => span.bytes));
    const finishedLength = fresh.lastIndexOf(NEWLINE) + 1;
    this.position = this.text.log.totalBytes - (fresh.length - finishedLength);
    const finished = fresh.toString('utf8', 0, finishedLength).split('\n');
    finished.pop();
    const unfinished = Buffer.concat([fresh.subarray(finishedLength), this.text.unfinishedLine]).toString('utf8');
    const lines = finished.map((line) => this.withoutEcho(line, true));
    if (unfinished !== '') lines.push(this.withoutEcho(unfinished, false));
    return lines.length > 0 && this.options.pattern.test(lines).includes(true);
  }

  /** A line that ends with what was typed is a prompt and its echo: only the prompt was printed by the program. */
  private withoutEcho(line: string, isFinished: boolean): string {
    const [echo] = this.echoes;
    if (echo === undefined) return line;
    if (line.endsWith(echo)) {
      if (isFinished) this.echoes.shift();
      return line.slice(0, line.length - echo.length);
    }
    // The echo of a line comes in as it is typed; a beginning of it is none of the program's either.
    return isFinished ? line : withoutBegunEcho(line, echo);
  }
}

function withoutBegunEcho(line: string, echo: string): string {
  for (let length = Math.min(line.length, echo.length); length > 0; length--) {
    if (line.endsWith(echo.slice(0, length))) return line.slice(0, line.length - length);
  }
  return line;
}
