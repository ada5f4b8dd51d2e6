import { describe, expect, it } from 'vitest';
import type { ServerEnvironment } from '../../../src/environment/serverEnvironment';
import { LOCAL_ENVIRONMENT } from '../../../src/process/execEnvironment';
import {
  environmentRowWords,
  type NamedEnvironment,
  spokenEnvironmentWords,
} from '../../../src/vscode/environments/environmentWords';
import { english } from '../english';

type State = ServerEnvironment['state'];

const UNUSED = { isDefault: false, runningCount: 0 };
const connected = { kind: 'connected' } as State;

function box(state: State): NamedEnvironment {
  return { kind: 'remote', id: 'box', label: 'the build box', state };
}

function disconnected(reason: string | undefined, isOurs = false): NamedEnvironment {
  return box({ kind: 'disconnected', reason, isOurs });
}

describe('the row of an environment', () => {
  const long = `the program ended with exit code 255: ${'x'.repeat(200)}\nlast line`;
  it.each([
    [{ kind: 'local', ...LOCAL_ENVIRONMENT }, UNUSED, 'this machine'],
    [{ kind: 'local', ...LOCAL_ENVIRONMENT }, { isDefault: true, runningCount: 1 }, 'default · 1 session · this machine'],
    [disconnected(undefined), UNUSED, 'never connected · the build box'],
    [box({ kind: 'connecting' } as State), UNUSED, 'connecting · the build box'],
    [box({ kind: 'recovering' } as State), UNUSED, 'connecting again · the build box'],
    [box(connected), { isDefault: false, runningCount: 2 }, 'connected · 2 sessions · the build box'],
    [disconnected('connect ECONNREFUSED'), UNUSED, 'disconnected: connect ECONNREFUSED · the build box'],
    [disconnected('the user disconnected it', true), UNUSED, 'disconnected by you · the build box'],
    [disconnected(long), UNUSED, `disconnected: ${long.slice(0, 79)}… · the build box`],
  ] as const)('%j used as %j says %j', (environment, use, words) => {
    expect(environmentRowWords(environment, use, english)).toBe(words);
  });

  it('is spoken as a sentence, with the whole reason', () => {
    const use = { isDefault: true, runningCount: 0 };
    expect(spokenEnvironmentWords(disconnected(long), use, english)).toBe(
      `Environment box, the build box, disconnected: ${long.replace('\n', ' ')}, 0 sessions, where commands run that name no environment`,
    );
  });
});
