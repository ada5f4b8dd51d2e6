/** The real codex reads AGENTS.md through our exec-server, and its model gets what our own agents get of the same files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalFileSystem } from '../../src/files/localFileSystem';
import { findProjectDocs, MAX_PROJECT_DOC_BYTES } from '../../src/files/projectDocs';
import { createServerUnderTest, listenOnLoopback } from '../execServer/support/serverFixture';
import { tempDir } from '../support/tempDir';
import { runCodex } from './support/runCodex';

/** A folder in a project, with one of each kind of file on the way to it. */
function createProject(rootDoc: string): string {
  const root = tempDir();
  const folder = path.join(root, 'sub', 'deep');
  mkdirSync(path.join(root, '.git'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(root, 'AGENTS.md'), rootDoc);
  writeFileSync(path.join(root, 'sub', 'AGENTS.override.md'), 'SUBOVERRIDE\n');
  writeFileSync(path.join(root, 'sub', 'AGENTS.md'), 'SUBDOC\n');
  writeFileSync(path.join(folder, 'CLAUDE.md'), 'FALLBACK\n');
  return folder;
}

async function promptIn(folder: string): Promise<string> {
  const url = await listenOnLoopback(createServerUnderTest());
  const settings = 'project_doc_fallback_filenames = ["CLAUDE.md"]\n';
  const { exitCode, prompt } = await runCodex([{ message: 'done' }], { url, folder, settings });
  expect(exitCode).toBe(0);
  return prompt;
}

describe.skipIf(process.platform !== 'linux')('codex', () => {
  it('is told what a project tells agents, in the words in which our agents are told', async () => {
    const folder = createProject('ROOTDOC\n');

    const { text } = await findProjectDocs(new LocalFileSystem(), { cwd: folder, fallbackNames: ['CLAUDE.md'] });

    expect(text).toBe('ROOTDOC\n\n\nSUBOVERRIDE\n\n\nFALLBACK\n');
    expect(await promptIn(folder)).toContain(text.trimEnd());
  });

  it('is told as much of a long file as our agents are', async () => {
    const folder = createProject(`START\n${'a'.repeat(2 * MAX_PROJECT_DOC_BYTES)}END\n`);

    const { text } = await findProjectDocs(new LocalFileSystem(), { cwd: folder });
    const prompt = await promptIn(folder);

    expect(text).toHaveLength(MAX_PROJECT_DOC_BYTES);
    expect(prompt).toContain(text);
    expect(prompt).not.toContain(`${text}a`);
    expect(prompt).not.toContain('SUBOVERRIDE');
  });
});
