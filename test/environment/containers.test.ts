/** The programs are made for the test where there is no daemon or cluster to ask; they answer as the real ones do. */
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listContainers, listContexts, listPods } from '../../src/environment/containers';
import { tempDir } from '../support/tempDir';

/** An environment in which a program of this name is a shell script, and nothing else is there but a shell. */
function envWith(name: string, script: string): NodeJS.ProcessEnv {
  const folder = tempDir();
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: folder };
}

const hasKubectl = ((): boolean => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('containers', () => {
  it('are those that docker says run', async () => {
    const env = envWith(
      'docker',
      '[ "$*" = "ps --format {{.Names}}\t{{.Image}}" ] && printf "web\\tnginx:1\\ndb\\tpostgres\\n"',
    );

    expect(await listContainers(env)).toEqual([
      { name: 'web', image: 'nginx:1' },
      { name: 'db', image: 'postgres' },
    ]);
  });

  it.each([
    ['echo first >&2; echo "no daemon" >&2; exit 1', 'no daemon'],
    ['exit 1', 'docker failed'],
  ])('that docker cannot list by %j come with the reason', async (script, reason) => {
    await expect(listContainers(envWith('docker', script))).rejects.toThrow(new Error(reason));
  });

  it('cannot be listed without docker', async () => {
    await expect(listContainers({ PATH: '/nowhere' })).rejects.toThrow(new Error('docker is not installed here'));
  });
});

describe('pods', () => {
  it('are those that run in any namespace of the context', async () => {
    const env = envWith(
      'kubectl',
      'case "$*" in "--context lab get pods --all-namespaces "*) echo "shop   web-7f   app,side"; echo "lone   db   pg";; esac',
    );

    expect(await listPods('lab', env)).toEqual([
      { namespace: 'shop', name: 'web-7f', containers: ['app', 'side'] },
      { namespace: 'lone', name: 'db', containers: ['pg'] },
    ]);
  });

  it.skipIf(!hasKubectl)('have the contexts that the real kubectl is configured for', async () => {
    const file = path.join(tempDir(), 'config');
    const context = (name: string): string => `- {name: ${name}, context: {cluster: c, user: u}}`;
    const clusters = 'clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]';
    writeFileSync(file, `apiVersion: v1\nkind: Config\n${clusters}\ncontexts:\n${context('lab')}\n${context('shop')}\n`);
    const env = { ...process.env, KUBECONFIG: file };

    expect((await listContexts(env)).sort()).toEqual(['lab', 'shop']);
    await expect(listPods('lab', env)).rejects.toThrow(/connection to the server|refused/);
  });
});
