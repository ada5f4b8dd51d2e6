import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../support/tempDir';
import { plainCommands } from '../support/decide';
import { ScriptRunner } from '../support/executedCommands';
import { generateScripts } from '../support/scriptGenerator';

/** Another seed is as good: what fails with one is a mistake. */
const SEED = Number(process.env['POLICY_SEED'] ?? 1);
const BUDGET_MS = Number(process.env['POLICY_BUDGET_MS'] ?? 2000);
const AT_ONCE = 4;
const LEAST_SCRIPTS = 20;

describe.each(['bash', 'dash', 'zsh', 'fish'])('%s', (shell) => {
  const program = ['/bin', '/usr/bin', '/usr/local/bin'].map((folder) => `${folder}/${shell}`).find(existsSync);

  it.skipIf(program === undefined)(
    'runs nothing in a plain script but the commands that it was taken apart into',
    { timeout: BUDGET_MS + 20_000 },
    async () => {
      const runner = new ScriptRunner(program!, tempDir());
      const scripts = generateScripts(SEED);
      const deadline = Date.now() + BUDGET_MS;
      const wrong: object[] = [];
      let checked = 0;
      const check = async (): Promise<void> => {
        while (Date.now() < deadline) {
          const script = scripts.next().value as string;
          const commands = plainCommands(script, shell);
          if (commands === undefined) continue;
          const found = new Set(commands.map((words) => JSON.stringify(words)));
          const executed = await runner.run(script);
          if (executed.some((argv) => !found.has(JSON.stringify(argv)))) wrong.push({ script, executed, commands });
          checked++;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, check));

      expect(wrong).toEqual([]);
      expect(checked).toBeGreaterThan(LEAST_SCRIPTS);
    },
  );
});
