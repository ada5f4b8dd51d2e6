import { expect, it } from 'vitest';
import { localEnvironments } from '../support/environments';
import { nullLog } from '../support/nullLog';
import { LocalBackend } from '../../src/process/localBackend';
import { SessionManager } from '../../src/session/sessionManager';
import { publishedTools } from '../../src/vscode/publishedTools';
import { toolListVersion } from '../../src/vscode/toolListVersion';

function versionWith({ shell = '/bin/bash' } = {}): string {
  const manager = new SessionManager({
    environments: localEnvironments(new LocalBackend()),
    log: nullLog,
    isAttended: true,
    defaultCwd: () => '/',
    defaultShell: () => shell,
  });
  return toolListVersion('1.2.3', publishedTools(manager));
}

it('gives the same tools the same version, also in another activation', () => {
  expect(versionWith()).toBe(versionWith());
  expect(versionWith()).toMatch(/^1\.2\.3\+tools\.[0-9a-f]{12}$/);
});

it('gives another version when a description has changed, such as the shell that it names', () => {
  expect(versionWith({ shell: '/bin/zsh' })).not.toBe(versionWith());
});

it.each([
  ['name', { name: 'b', inputSchema: { type: 'object' } }],
  ['schema', { name: 'a', inputSchema: { type: 'object', required: ['x'] } }],
  ['description', { name: 'a', inputSchema: { type: 'object' }, description: 'x' }],
])('gives another version when the %s of a tool has changed', (_what, tool) => {
  const before = toolListVersion('1.2.3', [{ name: 'a', inputSchema: { type: 'object' } }]);

  expect(toolListVersion('1.2.3', [tool])).not.toBe(before);
});
