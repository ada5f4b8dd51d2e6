/** How each kind of other machine is reached: in one place, as entries of the setting `execSessions.environments`. */
import { findIdFault, ID_CHARACTERS, MAX_ID_CHARACTERS } from './environmentEntry';

/** What a person knows of another machine. */
export type EnvironmentWay =
  /** As `ssh` takes it: a name of its configuration, a host, or `user@host`. */
  | { readonly kind: 'ssh'; readonly host: string }
  /** By name or id. */
  | { readonly kind: 'docker'; readonly container: string }
  | ({ readonly kind: 'kubernetes' } & PodWay)
  | { readonly kind: 'url'; readonly url: string; readonly tokenFile: string | undefined }
  /** Read by the system's shell. */
  | { readonly kind: 'command'; readonly command: string };

/** `undefined`: what `kubectl` takes without being told. */
export interface PodWay {
  readonly context: string | undefined;
  readonly namespace: string | undefined;
  readonly pod: string;
  readonly container: string | undefined;
}

/** An entry of the setting, but for its id. */
export interface WayEntry {
  readonly label?: string;
  readonly program?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly tokenFile?: string;
  readonly command?: string;
}

/** What runs on the other machine; its input and output are those of the program that leads there. */
const SERVER_ARGV = ['exec-sessions', 'exec-server', '--listen', 'stdio'];

export function entryOf(way: EnvironmentWay): WayEntry {
  switch (way.kind) {
    case 'ssh':
      return { label: `ssh ${way.host}`, program: 'ssh', args: [way.host, ...SERVER_ARGV] };
    case 'docker':
      return { label: `container ${way.container}`, program: 'docker', args: ['exec', '-i', way.container, ...SERVER_ARGV] };
    case 'kubernetes':
      return { label: `pod ${way.pod}`, program: 'kubectl', args: kubectlArgs(way) };
    case 'url':
      return { url: way.url, ...(way.tokenFile !== undefined && { tokenFile: way.tokenFile }) };
    case 'command':
      return { command: way.command };
  }
}

function kubectlArgs({ context, namespace, pod, container }: PodWay): string[] {
  const option = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value]);
  return [
    ...option('--context', context),
    ...option('--namespace', namespace),
    'exec',
    '-i',
    pod,
    ...option('--container', container),
    '--',
    ...SERVER_ARGV,
  ];
}

/** An id that says where it leads and that the environment can have. */
export function suggestId(way: EnvironmentWay, takenIds: ReadonlySet<string>): string {
  const base = toId(nameOf(way));
  let id = base;
  for (let count = 2; findIdFault(id, takenIds) !== undefined; count++) {
    const suffix = `-${String(count)}`;
    id = `${base.slice(0, MAX_ID_CHARACTERS - suffix.length)}${suffix}`;
  }
  return id;
}

function nameOf(way: EnvironmentWay): string {
  switch (way.kind) {
    case 'ssh':
      return shortHost(way.host.slice(way.host.lastIndexOf('@') + 1));
    case 'docker':
      return way.container;
    case 'kubernetes':
      return way.pod;
    case 'url':
      return shortHost(new URL(way.url).hostname);
    case 'command':
      return '';
  }
}

/** The name of a host without its domain; an address as it is. */
function shortHost(host: string): string {
  return /^[\d.:[\]]+$/.test(host) ? host : host.replace(/\..*/, '');
}

function toId(name: string): string {
  const id = name
    .replace(new RegExp(`[^${ID_CHARACTERS}]+`, 'g'), '-')
    .replace(/^-+/, '')
    .slice(0, MAX_ID_CHARACTERS)
    .replace(/-+$/, '');
  return id === '' ? 'remote' : id;
}
