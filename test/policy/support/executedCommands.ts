import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GENERATED_PROGRAMS } from './scriptGenerator';

/** Writes its name and arguments down in one go, so that programs that run at once do not mix theirs. */
const RECORDER = `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$@" "$RECORD_END" >> "$RECORD"
`;
const END = '\u0001end';
const TIMEOUT_MS = 5000;

/** Runs scripts in a shell whose only programs of interest write down how they were called. */
export class ScriptRunner {
  private count = 0;

  /** `folder` is an empty one, to be used by this alone. */
  constructor(
    private readonly shell: string,
    private readonly folder: string,
  ) {
    mkdirSync(path.join(folder, 'bin'));
    for (const name of GENERATED_PROGRAMS) {
      const file = path.join(folder, 'bin', name);
      writeFileSync(file, RECORDER);
      chmodSync(file, 0o755);
    }
  }

  /** The words of every recorded command that the script really ran. */
  async run(script: string): Promise<string[][]> {
    this.count++;
    const cwd = path.join(this.folder, `run${this.count}`);
    const record = `${cwd}.record`;
    mkdirSync(cwd);
    writeFileSync(record, '');
    await new Promise<void>((resolve) => {
      const env = {
        PATH: `${path.join(this.folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
        HOME: cwd,
        RECORD: record,
        RECORD_END: END,
        X: 'v w',
        LANG: 'C.UTF-8',
      };
      const child = execFile(this.shell, ['-c', script], { cwd, env }, () => {
        clearTimeout(timer);
        resolve();
      });
      child.stdin?.end();
      // What it left in the background may hold its output open.
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, TIMEOUT_MS);
    });
    const commands = readFileSync(record, 'utf8').split(`${END}\0`).slice(0, -1);
    return commands.map((words) => words.split('\0').slice(0, -1));
  }
}
