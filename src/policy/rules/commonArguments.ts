import { RulesError } from '../starlark/rulesError';
import type { Span } from '../starlark/sourceText';
import { type Decision, DECISIONS } from './decision';

export function readDecision(text: string, span: Span): Decision {
  const decision = DECISIONS.find((one) => one === text);
  if (decision === undefined) throw new RulesError('invalid-decision', `invalid decision: ${text}`, span);
  return decision;
}

export function readJustification(text: string | undefined, span: Span): string | undefined {
  if (text?.trim() === '') throw invalidRule('justification cannot be empty', span);
  return text;
}

export function invalidRule(message: string, span: Span): RulesError {
  return new RulesError('invalid-rule', `invalid rule: ${message}`, span);
}
