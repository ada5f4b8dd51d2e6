import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installWorkbench, node24Path } from '../../workbench/install.mjs';
import { installPackage } from './installPackage';

const VERSION = '0.1.16';

/** The official conformance suite of the protocol, as it is installed on this machine. */
export interface ConformanceSuite {
  readonly nodePath: string;
  readonly scriptPath: string;
}

/** Installs the suite, and the newer Node.js that it needs, unless an earlier run has. */
export async function installConformanceSuite(): Promise<ConformanceSuite> {
  if (!existsSync(node24Path())) await installWorkbench({ browser: false });
  const folder = await installPackage('@modelcontextprotocol/conformance', VERSION);
  return { nodePath: node24Path(), scriptPath: path.join(folder, 'dist', 'index.js') };
}

/** What one scenario checked: `id: STATUS`, with the reason where there is one. */
export async function runScenario(
  suite: ConformanceSuite,
  name: string,
  { url, outputDir }: { url: string; outputDir: string },
): Promise<string[]> {
  const args = [suite.scriptPath, 'server', '--url', url, '--scenario', name, '--output-dir', outputDir];
  const output = await collectOutput(suite.nodePath, args);
  const [folder] = readdirSync(outputDir).filter((entry) => entry.startsWith(`server-${name}-`));
  if (folder === undefined) throw new Error(`the suite left no results of ${name}:\n${output}`);
  const checks = JSON.parse(readFileSync(path.join(outputDir, folder, 'checks.json'), 'utf8')) as Check[];
  return checks.map(
    ({ id, status, errorMessage }) => `${id}: ${status}${errorMessage === undefined ? '' : ` (${errorMessage})`}`,
  );
}

/** The names of all scenarios for servers that this version of the suite has. */
export async function listScenarios(suite: ConformanceSuite): Promise<string[]> {
  const output = await collectOutput(suite.nodePath, [suite.scriptPath, 'list', '--server']);
  return [...output.matchAll(/^ +- ([\w-]+)/gm)].map(([, name]) => name!);
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** A scenario that fails is a result, so the exit code says nothing. */
function collectOutput(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', () => {
      resolve(output);
    });
  });
}
