import { RulesError } from '../starlark/rulesError';
import { matchResolved, type RulesToMatch } from './matchRules';
import type { Example, PrefixRules } from './prefixRule';

/** What is wrong with the examples of one `prefix_rule`, each looked at with the rules of that call alone. */
export function checkExamples(
  { rules, match, notMatch }: PrefixRules,
  known: Omit<RulesToMatch, 'prefixRules'>,
): RulesError[] {
  const isMatched = ({ words }: Example): boolean => matchResolved(words, { ...known, prefixRules: rules }).length > 0;
  return [
    ...notMatch.filter(isMatched).map(({ words, span }) => {
      const message = `expected example to not match the rule: ${words.join(' ')}`;
      return new RulesError('example-did-match', message, span);
    }),
    ...match
      .filter((example) => !isMatched(example))
      .map(({ words, span }) => {
        const message = `expected every example to match the rule; unmatched example: ${words.join(' ')}`;
        return new RulesError('example-did-not-match', message, span);
      }),
  ];
}
