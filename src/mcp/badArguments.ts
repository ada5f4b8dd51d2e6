import type * as z from 'zod';
import { describeLiveSessions, type SessionsInSight } from './findSession';

export interface BadArguments {
  readonly tool: string;
  /** The names that the tool knows. */
  readonly parameters: readonly string[];
  readonly error: z.ZodError;
  readonly sessions: SessionsInSight;
}

/** What is wrong with each argument, and what would be right. */
export function describeBadArguments({ tool, parameters, error, sessions }: BadArguments): string {
  const faults = error.issues.map((issue) => `- ${describeIssue(issue, parameters)}`);
  const concernsSession = error.issues.some((issue) => issue.path[0] === 'session_id');
  return [
    `${tool} was not run, because of its arguments:`,
    ...faults,
    ...(concernsSession ? [describeLiveSessions(sessions)] : []),
  ].join('\n');
}

type Issue = z.ZodError['issues'][number];

function describeIssue(issue: Issue, parameters: readonly string[]): string {
  const name = issue.path.join('.');
  const at = name === '' ? '' : `${name}: `;
  const given = issue.input === undefined ? '' : `, but was ${quote(issue.input)}`;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
      const valid = parameters.length === 0 ? 'this tool has none' : `valid are ${parameters.join(', ')}`;
      return `${at}unknown parameter ${unknown}; ${valid}.`;
    }
    case 'invalid_type':
      if (issue.input === undefined) return `${at}missing, must be ${article(issue.expected)}.`;
      return `${at}must be ${article(issue.expected)}${given}.`;
    case 'too_small':
      return `${at}must be at least ${String(issue.minimum)}${given}.`;
    case 'too_big':
      return `${at}must be at most ${String(issue.maximum)}${given}.`;
    case 'invalid_key':
      return `${at}${issue.issues[0]?.message ?? issue.message}`;
    default:
      return `${at}${issue.message}`;
  }
}

const ARTICLES: Readonly<Record<string, string>> = {
  int: 'an integer',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function article(type: string): string {
  return ARTICLES[type] ?? `a ${type}`;
}

/** Enough of a value to recognise it. */
const MAX_QUOTED_CHARACTERS = 80;

function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}…`;
}
