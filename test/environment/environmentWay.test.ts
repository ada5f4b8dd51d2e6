import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/environment/settingConfiguration';
import { type EnvironmentWay, entryOf, suggestId } from '../../src/environment/environmentWay';

const pod = { kind: 'kubernetes', context: undefined, namespace: undefined, pod: 'web-7f', container: undefined } as const;
const SERVER = 'exec-sessions exec-server --listen stdio';

const WAYS: readonly (readonly [way: EnvironmentWay, id: string, address: string])[] = [
  [{ kind: 'ssh', host: 'build' }, 'build', `ssh build ${SERVER}`],
  [{ kind: 'ssh', host: 'me@build.example.com' }, 'build', `ssh me@build.example.com ${SERVER}`],
  [{ kind: 'ssh', host: '10.0.0.7' }, '10-0-0-7', `ssh 10.0.0.7 ${SERVER}`],
  [{ kind: 'docker', container: 'app_web.1' }, 'app_web-1', `docker exec -i app_web.1 ${SERVER}`],
  [pod, 'web-7f', `kubectl exec -i web-7f -- ${SERVER}`],
  [
    { ...pod, context: 'lab', namespace: 'shop', container: 'side' },
    'web-7f',
    `kubectl --context lab --namespace shop exec -i web-7f --container side -- ${SERVER}`,
  ],
  [{ kind: 'url', url: 'wss://lab.example:4711/x', tokenFile: undefined }, 'lab', 'wss://lab.example:4711/x'],
  [{ kind: 'url', url: 'ws://[::1]:1', tokenFile: '/run/token' }, '1', 'ws://[::1]:1 /run/token'],
  [{ kind: 'command', command: 'cd there && ./serve' }, 'remote', 'cd there && ./serve'],
];

describe('a way to another machine', () => {
  it.each(WAYS)('%j is called %s and leads by %s', (way, id, address) => {
    const entry = { id: suggestId(way, new Set()), ...entryOf(way) };
    const { remotes, problems } = readSettings({ environments: [entry], defaultId: '' }, {});

    expect(problems).toEqual([]);
    expect(remotes.map((remote) => [remote.id, addressWords(remote.address)])).toEqual([[id, address]]);
  });

  it('gets an id of its own beside others', () => {
    const way: EnvironmentWay = { kind: 'docker', container: 'x'.repeat(70) };
    const taken = new Set(['x'.repeat(64), `${'x'.repeat(62)}-2`, 'local']);

    expect(suggestId(way, taken)).toBe(`${'x'.repeat(62)}-3`);
    expect(suggestId({ kind: 'ssh', host: 'local' }, taken)).toBe('local-2');
    expect(suggestId({ kind: 'ssh', host: 'none' }, new Set())).toBe('none-2');
  });
});

function addressWords(address: ReturnType<typeof readSettings>['remotes'][number]['address']): string {
  switch (address.kind) {
    case 'program':
      return address.argv.join(' ');
    case 'shellCommand':
      return address.command;
    case 'webSocket':
      return [address.url, ...(address.token !== undefined && 'file' in address.token ? [address.token.file] : [])].join(
        ' ',
      );
  }
}
