import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { tempDir } from '../../support/tempDir';
import { installCodex } from '../../bench/contestants/installCodex.mjs';
import { type ModelStep, startScriptedModel } from './scriptedResponses';

/** Where everything goes that is not on loopback: nowhere. */
const DEAD_PROXY = 'http://127.0.0.1:9';

export interface CodexRun {
  readonly exitCode: number | null;
  readonly toolReplies: readonly string[];
  /** All that the model was last asked with, as text. */
  readonly prompt: string;
}

export interface CodexOptions {
  /** The exec-server that codex is told of by `CODEX_EXEC_SERVER_URL`. */
  readonly url?: string;
  /** Or by this text as its `environments.toml`. */
  readonly environments?: string;
  /** Top-level settings of its `config.toml`. */
  readonly settings?: string;
  /** More of it. */
  readonly tables?: string;
  /** Where it works; default: a new folder. */
  readonly folder?: string;
  /** Default: none. */
  readonly sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
  /** Called with what the tools have replied so far, before each step of the model, which waits for it. */
  readonly onReplies?: (replies: readonly string[]) => unknown;
}

/** Runs the real codex with a scripted model; all commands run on the exec-server, which is the only one that it knows. */
export async function runCodex(
  steps: readonly ModelStep[],
  {
    url,
    environments,
    settings = '',
    tables = '',
    folder = tempDir(),
    sandbox = 'danger-full-access',
    onReplies,
  }: CodexOptions,
): Promise<CodexRun> {
  const program = await installCodex();
  const model = await startScriptedModel(steps, onReplies);
  const root = tempDir();
  const [home, temporary] = ['home', 'tmp'].map((name) => path.join(root, name)) as [string, string];
  for (const made of [home, temporary]) mkdirSync(made);
  writeFileSync(path.join(home, 'config.toml'), settings + config(model.url) + tables);
  if (environments !== undefined) writeFileSync(path.join(home, 'environments.toml'), environments);
  const args = ['exec', '--skip-git-repo-check', '--json', '--sandbox', sandbox, 'please run'];
  const child = spawn(program, args, {
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      CODEX_HOME: home,
      TMPDIR: temporary,
      MODEL_KEY: 'none',
      ...(url !== undefined && { CODEX_EXEC_SERVER_URL: url }),
      ...Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, DEAD_PROXY])),
      NO_PROXY: '127.0.0.1,localhost',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, toolReplies: model.toolReplies(), prompt: model.lastPrompt() };
}

function config(modelUrl: string): string {
  return `model = "scripted"
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false
[features]
plugins = false
apps = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}"
wire_api = "responses"
env_key = "MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`;
}
