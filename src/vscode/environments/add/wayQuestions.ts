/** What has to be asked to know how another machine is reached. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { listContainers, listContexts, listPods, type RunningPod } from '../../../environment/containers';
import { isWebSocketUrl } from '../../../environment/environmentEntry';
import type { EnvironmentWay } from '../../../environment/environmentWay';
import { listSshHosts } from '../../../environment/sshHosts';
import { type Answer, ask, choose, type Offer, type Place, type Typed } from './prompts';

type Kind = EnvironmentWay['kind'];

/** What is known so far. */
export interface Draft {
  readonly kind?: Kind;
  readonly host?: string;
  readonly container?: string;
  /** Empty: the current one of `kubectl`. */
  readonly context?: string;
  readonly pod?: RunningPod;
  /** Of the pod; empty: its default one. */
  readonly podContainer?: string;
  readonly url?: string;
  /** Empty: the server asks for no token. */
  readonly tokenFile?: string;
  readonly command?: string;
}

export type Question = (draft: Draft, place: Place) => Promise<Answer<Draft>>;

/** What is still to be asked; or the way there, once all is known. */
export type Asked =
  { readonly kind: 'question'; readonly question: Question } | { readonly kind: 'known'; readonly way: EnvironmentWay };

export function nextOf(draft: Draft): Asked {
  const { kind, host, container, context, pod, podContainer, url, tokenFile, command } = draft;
  if (kind === undefined) return question(askKind);
  switch (kind) {
    case 'ssh':
      return host === undefined ? question(askHost) : known({ kind, host });
    case 'docker':
      return container === undefined ? question(askContainer) : known({ kind, container });
    case 'kubernetes':
      if (context === undefined) return question(askContext);
      if (pod === undefined) return question(askPod);
      if (podContainer === undefined) return question(askPodContainer);
      return known({
        kind,
        context: given(context),
        namespace: given(pod.namespace),
        pod: pod.name,
        container: given(podContainer),
      });
    case 'url':
      if (url === undefined) return question(askUrl);
      return tokenFile === undefined ? question(askTokenFile) : known({ kind, url, tokenFile: given(tokenFile) });
    case 'command':
      return command === undefined ? question(askCommand) : known({ kind, command });
  }
}

const question = (asked: Question): Asked => ({ kind: 'question', question: asked });
const known = (way: EnvironmentWay): Asked => ({ kind: 'known', way });
const given = (text: string): string | undefined => (text === '' ? undefined : text);
const read = <T>(value: T): Typed<T> => ({ kind: 'read', value });
const wrong = (fault: string): { readonly kind: 'wrong'; readonly fault: string } => ({ kind: 'wrong', fault });
const offer = (label: string): Offer<string> => ({ label, value: label });

/** Lets an answer be another part of what is known. */
async function part<K extends keyof Draft>(draft: Draft, key: K, asked: Promise<Answer<Draft[K]>>): Promise<Answer<Draft>> {
  const answer = await asked;
  return answer.kind === 'given' ? { kind: 'given', value: { ...draft, [key]: answer.value } } : answer;
}

const askKind: Question = (draft, place) => {
  const { l10n } = vscode;
  const offers: readonly Offer<Kind>[] = [
    {
      value: 'ssh',
      label: l10n.t('SSH Host'),
      detail: l10n.t('A machine that ssh leads to without asking for a password.'),
    },
    { value: 'docker', label: l10n.t('Docker Container'), detail: l10n.t('A container that runs on this machine.') },
    { value: 'kubernetes', label: l10n.t('Kubernetes Pod'), detail: l10n.t('A pod that kubectl leads to.') },
    { value: 'url', label: l10n.t('WebSocket URL'), detail: l10n.t('An exec-server that listens at an address.') },
    {
      value: 'command',
      label: l10n.t('Shell Command'),
      detail: l10n.t('Anything whose standard input and output lead to an exec-server.'),
    },
  ];
  const placeholder = l10n.t('Select how the other machine is reached');
  return part(draft, 'kind', choose({ ...place, placeholder, offers: Promise.resolve(offers) }));
};

/** A name for the command line of a program, which must not be taken for an option, nor for several words. */
function readName(text: string): Typed<string> {
  return /^[^-\s]\S*$/.test(text) ? read(text) : wrong(vscode.l10n.t('A name without blanks that does not begin with "-"'));
}

const askHost: Question = (draft, place) => {
  const placeholder = vscode.l10n.t('Select a host of your SSH configuration, or type one, such as user@host');
  const offers = Promise.resolve(listSshHosts().map(offer));
  return part(draft, 'host', choose({ ...place, placeholder, offers, readTyped: readName }));
};

const askContainer: Question = (draft, place) => {
  const placeholder = vscode.l10n.t('Select a running container, or type its name');
  const offers = listContainers().then((found) =>
    found.map(({ name, image }) => ({ label: name, description: image, value: name })),
  );
  return part(draft, 'container', choose({ ...place, placeholder, offers, readTyped: readName }));
};

const askContext: Question = (draft, place) => {
  const { l10n } = vscode;
  const placeholder = l10n.t('Select a context of kubectl');
  const current = { label: l10n.t('The Current Context'), value: '' };
  const offers = listContexts().then(
    (names) => [current, ...names.map(offer)],
    () => [current],
  );
  return part(draft, 'context', choose({ ...place, placeholder, offers, readTyped: readName }));
};

const askPod: Question = (draft, place) => {
  const placeholder = vscode.l10n.t('Select a running pod, or type its name, such as namespace/pod');
  const offers = listPods(given(draft.context ?? '')).then((pods) =>
    pods.map((pod) => ({ label: pod.name, description: pod.namespace, value: pod })),
  );
  return part(draft, 'pod', choose({ ...place, placeholder, offers, readTyped: readPod }));
};

function readPod(text: string): Typed<RunningPod> {
  const name = readName(text);
  if (name.kind === 'wrong') return name;
  const at = text.indexOf('/');
  return read({ namespace: text.slice(0, Math.max(0, at)), name: text.slice(at + 1), containers: [] });
}

const askPodContainer: Question = (draft, place) => {
  const { l10n } = vscode;
  const first = { label: l10n.t('The Default Container'), value: '' };
  const offers = Promise.resolve([first, ...(draft.pod?.containers ?? []).map(offer)]);
  const placeholder = l10n.t('Select a container of the pod');
  return part(draft, 'podContainer', choose({ ...place, placeholder, offers, readTyped: readName }));
};

const askUrl: Question = (draft, place) => {
  const { l10n } = vscode;
  const prompt = l10n.t('The address of the exec-server, such as wss://host:4711');
  const readUrl = (text: string): Typed<string> =>
    isWebSocketUrl(text) ? read(text) : wrong(l10n.t('An address that begins with ws:// or wss://'));
  return part(draft, 'url', ask({ ...place, prompt, read: readUrl }));
};

/** A token itself has no place in the settings, which are shown, synchronized and shared. */
const askTokenFile: Question = (draft, place) => {
  const prompt = vscode.l10n.t('The path of the file with the token that the server asks for; empty if it asks for none');
  return part(draft, 'tokenFile', ask({ ...place, prompt, read: readTokenFile }));
};

function readTokenFile(text: string): Typed<string> {
  if (text === '') return read(text);
  if (!path.isAbsolute(text)) return wrong(vscode.l10n.t('An absolute path'));
  return isReadableFile(text) ? read(text) : wrong(vscode.l10n.t('There is no such file that you can read'));
}

function isReadableFile(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const askCommand: Question = (draft, place) => {
  const { l10n } = vscode;
  const prompt = l10n.t(
    'A command line for the shell, such as {0}',
    'podman exec -i web exec-sessions exec-server --listen stdio',
  );
  const readCommand = (text: string): Typed<string> => (text === '' ? wrong(l10n.t('A command line')) : read(text));
  return part(draft, 'command', ask({ ...place, prompt, read: readCommand }));
};
