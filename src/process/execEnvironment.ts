/** The port between sessions and the machines that can run their programs: this one, others, or none at all. */
import type { ExecBackend } from './execProcess';

/** The id of this machine; no other one may have it. */
export const LOCAL_ENVIRONMENT_ID = 'local';

/** What a session has to know of another machine before it starts there. */
export interface RemoteMachine {
  /** The shell of its user: a path there. */
  readonly shell: string;
  /** Where its server was started: an absolute path there. */
  readonly cwd: string;
  /** Of its operating system, such as `linux`, `macos` or `windows`; `undefined` where it does not tell. */
  readonly platform: string | undefined;
}

interface EnvironmentName {
  /** By which it is asked for. */
  readonly id: string;
  /** What it is, for people; without arguments and secrets. */
  readonly label: string;
}

/** What this machine is called where there are others. */
export const LOCAL_ENVIRONMENT: EnvironmentName = { id: LOCAL_ENVIRONMENT_ID, label: 'this machine' };

export interface LocalEnvironment extends EnvironmentName {
  readonly kind: 'local';
  readonly backend: ExecBackend;
}

export interface RemoteEnvironment extends EnvironmentName {
  readonly kind: 'remote';
  readonly backend: ExecBackend;
  /** Connects if there is no connection. Rejects with an `Error` that says why there is none; the next call tries anew. */
  describe(): Promise<RemoteMachine>;
}

export type ExecEnvironment = LocalEnvironment | RemoteEnvironment;

/** Why a command has nowhere to run. */
export interface EnvironmentFailure {
  /** `noEnvironment`: there is none, or none is the default. */
  readonly kind: 'noEnvironment' | 'unknownEnvironment';
  /** A sentence for people and models that names what there is. */
  readonly message: string;
}

export type EnvironmentLookup =
  | { readonly kind: 'found'; readonly environment: ExecEnvironment }
  | { readonly kind: 'failed'; readonly failure: EnvironmentFailure };

export interface ExecEnvironments {
  /** All that can be asked for; none where nothing may be run. */
  list(): readonly ExecEnvironment[];
  /** Where programs run that ask for none. `undefined`: each has to ask. */
  readonly defaultEnvironment: ExecEnvironment | undefined;
  /** `undefined`: the default. */
  find(id: string | undefined): EnvironmentLookup;
}
