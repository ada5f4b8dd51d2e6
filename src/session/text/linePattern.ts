import { createContext, Script } from 'node:vm';
import { messageOf } from '../../base/messageOf';

/**
 * What a pattern may take for one batch of lines, in milliseconds. Honest patterns need a few; one that backtracks without end
 * would stop the whole editor.
 */
export const PATTERN_TIMEOUT_MS = 1_000;

const context = createContext({ lines: [] as readonly string[], expression: /(?:)/ });
const script = new Script('lines.map((line) => expression.test(line))');

export type PatternParse =
  | { readonly kind: 'pattern'; readonly pattern: LinePattern }
  /** `message`: what is wrong with it, for people and models. */
  | { readonly kind: 'invalid'; readonly message: string };

export class PatternTimeoutError extends Error {
  constructor(source: string) {
    super(
      `The pattern ${JSON.stringify(source)} was given up after ${PATTERN_TIMEOUT_MS} ms: it backtracks too much. Simplify it.`,
    );
  }
}

/** A regular expression in JavaScript's syntax that is tried on lines, with an end to its patience. */
export class LinePattern {
  static parse(source: string): PatternParse {
    try {
      return { kind: 'pattern', pattern: new LinePattern(new RegExp(source, 'u')) };
    } catch (error) {
      const reason = messageOf(error);
      return { kind: 'invalid', message: `${reason}. Patterns are regular expressions in JavaScript's syntax (flag u).` };
    }
  }

  private constructor(private readonly expression: RegExp) {}

  ignoringCase(): LinePattern {
    return new LinePattern(new RegExp(this.expression.source, 'iu'));
  }

  /** Which of the lines match. Throws {@link PatternTimeoutError}. */
  test(lines: readonly string[]): readonly boolean[] {
    context['lines'] = lines;
    context['expression'] = this.expression;
    try {
      return [...(script.runInContext(context, { timeout: PATTERN_TIMEOUT_MS }) as readonly boolean[])];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        throw new PatternTimeoutError(this.expression.source);
      }
      throw error;
    } finally {
      context['lines'] = [];
    }
  }
}
