import { describe, expect, it } from 'vitest';
import type { FileSandbox } from '../../src/files/sandbox/fileSandbox';
import { fileSandbox, fromWireSandbox, toWireSandbox } from '../../src/execServer/wire/fileSandbox';

function decode(wire: unknown): FileSandbox | undefined {
  return fromWireSandbox(fileSandbox.parse(wire));
}

const managed = (entries: readonly unknown[]): unknown => ({
  type: 'managed',
  file_system: { type: 'restricted', entries },
  network: 'restricted',
});

describe.skipIf(process.platform === 'win32')('the sandbox of a file request', () => {
  it('is the same after it has travelled', () => {
    const sandbox: FileSandbox = {
      permissions: {
        kind: 'restricted',
        entries: [
          { where: { kind: 'root' }, access: 'read' },
          { where: { kind: 'systemFiles' }, access: 'read' },
          { where: { kind: 'currentDirectory' }, access: 'write' },
          { where: { kind: 'workspaceRoots', subpath: '.git' }, access: 'read' },
          { where: { kind: 'temporaryDirectory' }, access: 'write' },
          { where: { kind: 'slashTmp' }, access: 'write' },
          { where: { kind: 'path', path: '/a b/é' }, access: 'deny' },
          { where: { kind: 'pattern', pattern: '/ws/**/*.env' }, access: 'deny' },
        ],
      },
      cwd: '/ws',
      workspaceRoots: ['/ws', '/other'],
    };

    expect(decode(toWireSandbox(sandbox))).toEqual(sandbox);
    expect(decode(toWireSandbox({ permissions: { kind: 'unrestricted' } }))?.permissions).toEqual({ kind: 'unrestricted' });
    expect(toWireSandbox(undefined)).toBeNull();
  });

  it.each(['disabled', 'external'])('restricts nothing if its permissions are %s', (type) => {
    expect(decode({ permissions: { type }, windowsSandboxLevel: 'disabled' })?.permissions).toEqual({
      kind: 'unrestricted',
    });
  });

  it('has its places by the context of the policy, where that is given', () => {
    const wire = {
      permissions: managed([]),
      windowsSandboxLevel: 'disabled',
      cwd: 'file:///here',
      workspaceRoots: ['file:///here'],
      policyContext: { cwd: 'file:///there', workspaceRoots: ['file:///there'] },
    };

    expect(decode(wire)).toMatchObject({ cwd: '/there', workspaceRoots: ['/there'] });
  });

  it('grants nothing for places that are not known, and takes none for a denial', () => {
    const entries = [
      { path: { type: 'special', value: { kind: 'unknown', path: 'x' } }, access: 'write' },
      { path: { type: 'path', path: 'file:///secret' }, access: 'none' },
    ];

    expect(decode({ permissions: managed(entries), windowsSandboxLevel: 'disabled' })?.permissions).toEqual({
      kind: 'restricted',
      entries: [{ where: { kind: 'path', path: '/secret' }, access: 'deny' }],
    });
  });
});
