/** What a model reads of the environments that its commands may run in, and of what holds there. */
import type { ToolContext } from './tool';

/** Whether it matters to say where a command runs. */
export function isChoice({ manager: { environments } }: ToolContext): boolean {
  return environments.list().length > 1 || environments.defaultEnvironment === undefined;
}

export function describeEnvironments({ manager: { environments } }: ToolContext): string {
  const names = environments.list().map(({ id, label }) => `${id} (${label})`);
  const fallback = environments.defaultEnvironment;
  const otherwise = fallback === undefined ? 'There is no default: name one.' : `Default: ${fallback.id}.`;
  return `The machine that runs it: ${names.join(', ')}. ${otherwise}`;
}

export function describeDefaultShell(context: ToolContext): string {
  return here(context, context.defaults.defaultShell, 'that of the environment');
}

export function describeDefaultFolder(context: ToolContext): string {
  const { manager } = context;
  const folders = manager.environments.list().flatMap(({ id, kind }) => {
    const folder = kind === 'remote' ? manager.remoteCwd(id) : undefined;
    return folder === undefined ? [] : [`${folder} on ${id}`];
  });
  const elsewhere = "the folder of the environment's server";
  return here(context, context.defaults.defaultCwd, [...folders, elsewhere].join(', else '));
}

/** What holds on this machine, and what on the others, as far as there are any. */
function here({ manager: { environments } }: ToolContext, value: string, elsewhere: string): string {
  const kinds = new Set(environments.list().map(({ kind }) => kind));
  if (!kinds.has('remote')) return value;
  return kinds.has('local') ? `${value} on this machine, elsewhere ${elsewhere}` : elsewhere;
}
