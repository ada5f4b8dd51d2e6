import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findRules, userRulesFile } from '../../src/policy/ruleSources';
import { tempDir } from '../support/tempDir';

function write(folder: string, name: string, text: string | Buffer): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it('finds all files of rules, those of the user first, in the order of their names', async () => {
  const [home, codexHome, config, workspace] = [tempDir(), tempDir(), tempDir(), tempDir()];
  const files = [
    write(codexHome, 'rules/a.rules', '# 1'),
    write(codexHome, 'rules/b.rules', '# 2'),
    write(config, 'exec-sessions/rules/user.rules', '# 3'),
    write(workspace, '.codex/rules/z.rules', '# 4'),
    write(workspace, '.exec-sessions/rules/a.rules', '# 5'),
  ];
  write(codexHome, 'rules/notes.md', 'not a rule');
  write(home, '.codex/rules/other.rules', '# not here');
  const env = { CODEX_HOME: codexHome, XDG_CONFIG_HOME: config };

  const found = await findRules({ home, env, workspaceFolders: [workspace], isWorkspaceTrusted: false });

  expect(found).toEqual(files.map((file, place) => ({ file, text: `# ${place + 1}`, isOnlyStricter: place >= 3 })));
  expect(userRulesFile({ home, env })).toBe(files[2]);
});

it('tells of what is there and cannot be read, and waits for none of it', async () => {
  const home = tempDir();
  const folder = path.join(home, '.codex', 'rules');
  write(folder, 'bytes.rules', Buffer.from([0xff, 0xfe, 0x00]));
  write(folder, 'large.rules', Buffer.alloc(4_000_001, '#'));
  mkdirSync(path.join(folder, 'folder.rules'));
  execFileSync('mkfifo', [path.join(folder, 'pipe.rules')]);
  write(home, '.config/exec-sessions/rules', 'a file where the folder should be');

  const found = await findRules({ home, env: {}, workspaceFolders: [], isWorkspaceTrusted: true });

  expect(found.map(({ file, ...rest }) => [path.basename(file), 'problem' in rest ? rest.problem : rest.text])).toEqual([
    ['bytes.rules', expect.stringContaining('not valid')],
    ['folder.rules', 'it is not a file'],
    ['large.rules', 'it is larger than 4000000 bytes'],
    ['pipe.rules', 'it is not a file'],
  ]);
});
