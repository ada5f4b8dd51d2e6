/** What `docker` and `kubectl` say there is to choose from. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Somebody waits for the list, and can as well type the name. */
const LIST_TIMEOUT_MS = 10_000;

export interface RunningContainer {
  readonly name: string;
  readonly image: string;
}

export interface RunningPod {
  readonly namespace: string;
  readonly name: string;
  readonly containers: readonly string[];
}

/** The running containers. Rejects with an `Error` that says why they are not known. */
export async function listContainers(env = process.env): Promise<RunningContainer[]> {
  const lines = await linesOf('docker', ['ps', '--format', '{{.Names}}\t{{.Image}}'], env);
  return lines.map((line) => {
    const [name = '', image = ''] = line.split('\t');
    return { name, image };
  });
}

/** The names of the contexts that `kubectl` is configured for. Rejects the same way. */
export function listContexts(env = process.env): Promise<string[]> {
  return linesOf('kubectl', ['config', 'get-contexts', '--output', 'name'], env);
}

/** The running pods of all namespaces. Rejects the same way; `context` `undefined`: the current one. */
export async function listPods(context: string | undefined, env = process.env): Promise<RunningPod[]> {
  const columns = 'NAMESPACE:.metadata.namespace,NAME:.metadata.name,CONTAINERS:.spec.containers[*].name';
  const lines = await linesOf(
    'kubectl',
    [
      ...(context === undefined ? [] : ['--context', context]),
      ...['get', 'pods', '--all-namespaces', '--field-selector', 'status.phase=Running'],
      ...['--no-headers', '--output', `custom-columns=${columns}`],
    ],
    env,
  );
  return lines.map((line) => {
    const [namespace = '', name = '', containers = ''] = line.split(/\s+/);
    return { namespace, name, containers: containers.split(',').filter((container) => container !== '') };
  });
}

async function linesOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: LIST_TIMEOUT_MS, windowsHide: true }).catch(
    (error: unknown) => {
      throw new Error(faultOf(program, error), { cause: error });
    },
  );
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** In the program's own last words where it has any: the message of the error repeats the whole command. */
function faultOf(program: string, error: unknown): string {
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
  if (code === 'ENOENT') return `${program} is not installed here`;
  if (killed === true) return `${program} did not answer within ${String(LIST_TIMEOUT_MS)} ms`;
  const words = stderr?.trim().split('\n').at(-1) ?? '';
  return words === '' ? `${program} failed` : words;
}
