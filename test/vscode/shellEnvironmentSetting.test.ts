import { describe, expect, it } from 'vitest';
import { createLineLog } from '../../src/base/log';
import { DEFAULT_SHELL_ENVIRONMENT_POLICY } from '../../src/process/shellEnvironmentPolicy';
import { policyFromSetting } from '../../src/vscode/shellEnvironmentSetting';

describe('the shell environment setting', () => {
  it('takes what it names, and the defaults for the rest', () => {
    const lines: string[] = [];
    const log = createLineLog('trace', (line) => lines.push(line));

    expect(policyFromSetting({}, log)).toEqual(DEFAULT_SHELL_ENVIRONMENT_POLICY);
    expect(policyFromSetting({ inherit: 'core', set: { A: '1' } }, log)).toEqual({
      ...DEFAULT_SHELL_ENVIRONMENT_POLICY,
      inherit: 'core',
      set: { A: '1' },
    });
    expect(lines).toEqual([]);
  });

  it.each([
    ['a wrong word', { inherit: 'some' }, 'has a value of the wrong kind for inherit'],
    ['a number among names', { exclude: ['A', 1] }, 'has a value of the wrong kind for exclude'],
    ['a variable without text', { set: { A: 1 } }, 'has a value of the wrong kind for set'],
    ['a misspelt key', { exlude: [] }, 'has the unknown key "exlude"'],
    ['a list', [], 'is not an object'],
  ])('passes on little and says so where it cannot be understood: %s', (_, value, fault) => {
    const lines: string[] = [];
    const policy = policyFromSetting(
      value,
      createLineLog('error', (line) => lines.push(line)),
    );

    expect(policy).toMatchObject({ inherit: 'core', ignoreDefaultExcludes: false });
    expect(lines.join()).toContain(`execSessions.shellEnvironment ${fault}: until it is mended`);
  });
});
