/** What can be configured of environments, whichever file or setting it was read from. Loads no package. */
import { LOCAL_ENVIRONMENT_ID } from '../process/execEnvironment';
import { URL_VARIABLE } from './codexEnvironment';

/** How to get to the exec-server of an environment. */
export type RemoteAddress =
  | {
      readonly kind: 'webSocket';
      /** `ws:` or `wss:`. */
      readonly url: string;
      /** Shown to the server; read anew from a file at each connection. */
      readonly token: { readonly text: string } | { readonly file: string } | undefined;
      readonly connectTimeoutMs: number | undefined;
    }
  | ({ readonly kind: 'program'; readonly argv: readonly [string, ...string[]] } & ProgramPlace)
  | ({ readonly kind: 'shellCommand'; readonly command: string } & ProgramPlace);

/** Where a program on this machine runs that leads to another. */
export interface ProgramPlace {
  readonly cwd: string | undefined;
  /** On top of the variables of this process. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RemoteConfiguration {
  readonly id: string;
  /** For people, in place of what the address tells. */
  readonly label: string | undefined;
  readonly address: RemoteAddress;
  readonly initializeTimeoutMs: number | undefined;
  /** For the editors of a window; commands that run there may write all the same. Default: `false`. */
  readonly areFilesReadOnly?: boolean | undefined;
}

export interface EnvironmentConfiguration {
  readonly remotes: readonly RemoteConfiguration[];
  readonly includesLocal: boolean;
  /** Where programs run that ask for no environment; may name one that there is not. `undefined`: each has to ask. */
  readonly defaultId: string | undefined;
  /** What says so, such as the path of a file: for messages. */
  readonly source: string;
  /** What was wrong, a sentence each; what is wrong is left out. */
  readonly problems: readonly string[];
}

/** Where nothing says otherwise. */
export const LOCAL_ONLY: EnvironmentConfiguration = {
  remotes: [],
  includesLocal: true,
  defaultId: LOCAL_ENVIRONMENT_ID,
  source: URL_VARIABLE,
  problems: [],
};
