import type { Span } from './sourceText';

/** The kinds of mistakes in a file of rules. All but `limit` and `unreadable` are told apart by Codex too. */
export type RulesErrorCode =
  | 'parse'
  | 'undefined-name'
  | 'load'
  | 'runtime'
  | 'fail'
  | 'type'
  | 'missing-parameter'
  | 'unknown-parameter'
  | 'invalid-pattern'
  | 'invalid-decision'
  | 'invalid-rule'
  | 'invalid-example'
  | 'example-did-match'
  | 'example-did-not-match'
  | 'limit'
  | 'unreadable';

/** What is wrong with a file of rules, and where. Thrown within this folder and the one of the rules; a value outside. */
export class RulesError extends Error {
  override readonly name = 'RulesError';

  constructor(
    readonly code: RulesErrorCode,
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}
