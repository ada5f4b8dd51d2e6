import { expect, it } from 'vitest';
import { scriptCases } from '../support/golden';
import { plainCommands } from '../support/decide';

/** Of 749 scripts. A parser that takes none for plain would be right about all. */
const LEAST_PLAIN = 150;

it('finds every command that bash ran, in each recorded script that it takes for plain', () => {
  const plain = scriptCases.flatMap(({ script, executed }) => {
    const commands = plainCommands(script);
    return commands === undefined ? [] : [{ script, executed, commands }];
  });
  const missed = plain.filter(({ executed, commands }) => {
    const found = new Set(commands.map((words) => JSON.stringify(words)));
    return executed.some((argv) => !found.has(JSON.stringify(argv)));
  });

  expect(missed).toEqual([]);
  expect(plain.length).toBeGreaterThan(LEAST_PLAIN);
});
