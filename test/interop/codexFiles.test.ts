/** The real codex works on files through our exec-server: it applies its patches and looks at its images there. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';
import { tempDir } from '../support/tempDir';
import { runCodex } from './support/runCodex';
import type { ModelStep } from './support/scriptedResponses';

/** One pixel. */
const PNG_BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Codex has a limit for one frame of the websocket (16 MiB), which this is beyond, as base64 all the more. */
const LARGE_BYTES = 20_000_000;

const PATCH = `*** Add File: new.txt
+hello
*** Update File: old.txt
@@
-a
+b
*** Delete File: gone.txt
`;

function applyPatch(changes: string): ModelStep {
  return {
    call: 'exec_command',
    args: { cmd: `apply_patch <<'P'\n*** Begin Patch\n${changes}*** End Patch\nP`, yield_time_ms: 1_000 },
  };
}

const viewImage: ModelStep = { call: 'view_image', args: { path: 'img.png' } };
const done: ModelStep = { message: 'done' };

function createRepository(): string {
  const folder = tempDir();
  mkdirSync(path.join(folder, '.git'));
  writeFileSync(path.join(folder, 'old.txt'), 'a\n');
  writeFileSync(path.join(folder, 'gone.txt'), 'x\n');
  writeFileSync(path.join(folder, 'img.png'), Buffer.from(PNG_BASE64, 'base64'));
  return folder;
}

function contentsOf(folder: string): Record<string, string | undefined> {
  const read = (name: string): string | undefined =>
    existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8') : undefined;
  return { new: read('new.txt'), old: read('old.txt'), gone: read('gone.txt') };
}

describe.skipIf(process.platform !== 'linux')('codex', () => {
  it.each(['danger-full-access', 'workspace-write'] as const)(
    'applies a patch and looks at an image through our server (%s)',
    async (sandbox) => {
      const url = await listenOnLoopback(createServerUnderTest());
      const folder = createRepository();

      const { exitCode, toolReplies } = await runCodex([applyPatch(PATCH), viewImage, done], { url, folder, sandbox });

      expect(exitCode).toBe(0);
      expect(toolReplies[0]).toContain('Success. Updated the following files:\nA new.txt\nM old.txt\nD gone.txt\n');
      expect(toolReplies[1]).toContain(PNG_BASE64);
      expect(contentsOf(folder)).toEqual({ new: 'hello\n', old: 'b\n', gone: undefined });
    },
  );

  it('patches a file that is too large for one of its frames', async () => {
    const url = await listenOnLoopback(createServerUnderTest());
    const folder = createRepository();
    const rest = `${'a'.repeat(99)}\n`.repeat(LARGE_BYTES / 100);
    writeFileSync(path.join(folder, 'old.txt'), `marker\n${rest}`);

    const { toolReplies } = await runCodex([applyPatch('*** Update File: old.txt\n@@\n-marker\n+MARKER\n'), done], {
      url,
      folder,
    });

    expect(toolReplies[0]).toContain('Success. Updated the following files:\nM old.txt\n');
    expect(readFileSync(path.join(folder, 'old.txt'), 'utf8') === `MARKER\n${rest}`).toBe(true);
  });

  it('reads and changes nothing where it may only read', async () => {
    const url = await listenOnLoopback(createServerUnderTest());
    const folder = createRepository();

    const { exitCode, toolReplies } = await runCodex([applyPatch(PATCH), viewImage, done], {
      url,
      folder,
      sandbox: 'read-only',
    });

    expect(exitCode).toBe(0);
    expect(toolReplies[0]).toContain('read-only sandbox');
    expect(toolReplies[1]).toContain(PNG_BASE64);
    expect(contentsOf(folder)).toEqual({ new: undefined, old: 'a\n', gone: 'x\n' });
  });

  it.each(['workspace-write', 'read-only'] as const)(
    'is told why a command does not run that is to be confined (%s)',
    async (sandbox) => {
      const url = await listenOnLoopback(createServerUnderTest());
      const folder = createRepository();
      const command: ModelStep = {
        call: 'exec_command',
        args: { cmd: 'echo ran > ran.txt', yield_time_ms: 2_000 },
      };

      const { exitCode, toolReplies } = await runCodex([command, done], { url, folder, sandbox });

      expect(exitCode).toBe(0);
      expect(toolReplies[0]).toContain('This exec-server has no sandbox');
      expect(existsSync(path.join(folder, 'ran.txt'))).toBe(false);
    },
  );
});
