import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SandboxPlace } from '../../src/files/sandbox/fileSandbox';
import { findPlaces } from '../../src/files/sandbox/sandboxPlaces';

const SANDBOX = {
  permissions: { kind: 'restricted', entries: [] },
  cwd: '/work/here',
  workspaceRoots: ['/work/one', '/work/two'],
} as const;

type Named = Exclude<SandboxPlace, { readonly kind: 'pattern' }>;

describe.skipIf(process.platform === 'win32')('a place that a sandbox names by its role', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    [{ kind: 'path', path: '/a/./b/../c' }, ['/a/c']],
    [{ kind: 'root' }, ['/']],
    [{ kind: 'root', subpath: 'opt/x' }, ['/opt/x']],
    [{ kind: 'currentDirectory' }, ['/work/here']],
    [{ kind: 'workspaceRoots', subpath: '.git' }, ['/work/one/.git', '/work/two/.git']],
    [{ kind: 'slashTmp' }, ['/tmp']],
    [{ kind: 'systemFiles' }, ['/bin', '/etc', '/lib', '/lib64', '/sbin', '/usr']],
  ] satisfies [Named, string[]][])('is found (%o)', (where: Named, expected) => {
    expect(findPlaces(where, SANDBOX)).toEqual(expected);
  });

  it('is the temporary folder of the server, if it has one', () => {
    vi.stubEnv('TMPDIR', '/scratch');
    expect(findPlaces({ kind: 'temporaryDirectory' }, SANDBOX)).toEqual(['/scratch']);
    vi.stubEnv('TMPDIR', 'relative');
    expect(findPlaces({ kind: 'temporaryDirectory' }, SANDBOX)).toEqual([]);
    vi.stubEnv('TMPDIR', undefined);
    expect(findPlaces({ kind: 'temporaryDirectory' }, SANDBOX)).toEqual([]);
  });

  it('is nowhere without what it depends on', () => {
    const bare = { permissions: SANDBOX.permissions };

    expect(findPlaces({ kind: 'workspaceRoots' }, bare)).toEqual([]);
    expect(() => findPlaces({ kind: 'currentDirectory' }, bare)).toThrow('current directory');
  });
});
