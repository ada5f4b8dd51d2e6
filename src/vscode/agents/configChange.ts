/** What has to happen to a configuration file so that an agent finds the tools. */
export type ConfigChange =
  /** It says so already. */
  | { readonly kind: 'none' }
  /** `text` is the whole file as it should be: what was there stays as it was, but for an entry of ours that was another. */
  | { readonly kind: 'add' | 'replace'; readonly text: string }
  /** Only a person can tell what to do: the file cannot be read as what it should be, or its entry of ours must not be touched. */
  | { readonly kind: 'byHand'; readonly reason: 'unreadable' | 'otherEntry' };

/** The name under which agents know our server. */
export const SERVER_NAME = 'exec-sessions';

/** How an agent starts a server, in the words of its configuration. */
export type ServerEntry = Readonly<Record<string, string | number | readonly string[]>>;
