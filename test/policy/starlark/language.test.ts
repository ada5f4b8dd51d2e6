import { describe, expect, it } from 'vitest';
import { expressionCases, mistakeCases, statementCases } from '../support/languageCases';
import { problemOf, readText } from '../support/readText';

/** What a file makes of an expression, told by the justification of a rule. */
function valueOf(expression: string): string | undefined {
  const { prefixRules, problems } = readText(`x = ${expression}\nprefix_rule(["ls"], justification = str(x))`);
  return problems[0]?.message ?? prefixRules[0]?.justification;
}

describe('an expression in a file of rules', () => {
  it.each(expressionCases)('%s is %s', (expression, value) => {
    expect(valueOf(expression)).toBe(value);
  });
});

describe('a statement in a file of rules', () => {
  it.each(statementCases)('%j leaves the right value behind', (text, value) => {
    const { prefixRules, problems } = readText(`${text}\nprefix_rule(["ls"], justification = str(x))`);

    expect(problems).toEqual([]);
    expect(prefixRules[0]?.justification).toBe(value);
  });
});

describe('a mistake in a file of rules', () => {
  it.each(mistakeCases)('%j is told with its place', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it('is told where it is, and not where the statement begins, if what a loop goes through is wrong', () => {
    expect(problemOf('for x in 3: pass')).toBe('runtime 1:10 Operation `(iter)` not supported on type `int`');
  });

  it('is told of each example that fails, at the example', () => {
    const text =
      'prefix_rule(\n  ["git", "push"],\n  match = ["git push", "git pull"],\n  not_match = [["git", "push", "-f"]],\n)';

    expect(readText(text).problems.map(({ code, range }) => ({ code, ...range.start }))).toEqual([
      { code: 'example-did-match', line: 4, column: 16 },
      { code: 'example-did-not-match', line: 3, column: 24 },
    ]);
  });
});
