import { describe, expect, it } from 'vitest';
import { checkCommand } from '../../../src/policy/rules/checkCommand';
import { readRuleSet } from '../../../src/policy/rules/ruleSet';
import { GOLDEN_HOME, goldenFileName, type RulesCase, rulesCases } from '../support/golden';

function answer({ rules, command, resolveHostExecutables }: RulesCase): object {
  const texts = rules.map((text, place) => ({ file: goldenFileName(place), text }));
  const ruleSet = readRuleSet(texts, GOLDEN_HOME);
  const [problem] = ruleSet.files.flatMap(({ problems }) => problems);
  if (problem !== undefined) {
    const { file, start } = problem.range;
    return { errorClass: problem.code, at: `${file}:${start.line}:${start.column}` };
  }
  return checkCommand(command, ruleSet, { resolvesHostExecutables: resolveHostExecutables, home: GOLDEN_HOME });
}

/** Codex names the end of the line before a tab that begins a line. */
const BETTER_PLACES: Readonly<Record<number, string>> = { 239: 'r0.rules:3:1' };

/** Where the recorded error is, if it says so: what Codex says of examples has no place. */
function recordedPlace({ id, error = '' }: RulesCase): string | undefined {
  return BETTER_PLACES[id] ?? /--> (?<place>\S+)/.exec(error)?.groups?.['place'];
}

describe('the rules of Codex', () => {
  it.each(rulesCases.filter(({ result }) => result !== undefined))(
    'decide as Codex does ($id, $group: $command)',
    (golden) => {
      expect(answer(golden)).toEqual(golden.result);
    },
  );

  it.each(rulesCases.filter(({ errorClass }) => errorClass !== undefined))(
    'are refused as Codex does, at the same place ($id, $errorClass)',
    (golden) => {
      const at = recordedPlace(golden) ?? expect.stringMatching(/^r\d\.rules:\d+:\d+$/);

      expect(answer(golden)).toEqual({ errorClass: golden.errorClass, at });
    },
  );

  it('are all recorded', () => {
    expect(rulesCases).toHaveLength(262);
  });
});
