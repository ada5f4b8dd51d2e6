import type { RemoteConfiguration } from './environmentConfiguration';
import { type Entry, type EntryResult, readEntry } from './environmentEntry';

export interface EntriesOptions {
  /** Relative folders start here. */
  readonly folder: string;
  /** The keys of one entry, in the words of the product. */
  readonly readKeys: (entry: unknown) => EntryResult<Entry>;
}

export interface ReadEntries {
  readonly remotes: readonly RemoteConfiguration[];
  /** A sentence for each entry that is left out. */
  readonly problems: readonly string[];
}

/** The environments of a list, and what is wrong with the others. */
export function readEntries(entries: readonly unknown[], { folder, readKeys }: EntriesOptions): ReadEntries {
  const remotes: RemoteConfiguration[] = [];
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const keys = readKeys(entry);
    const takenIds = new Set(remotes.map(({ id }) => id));
    const result = keys.kind === 'wrong' ? keys : readEntry(keys.value, { folder, takenIds });
    if (result.kind === 'read') remotes.push(result.value);
    else problems.push(`The environment ${nameOf(entry, index)} ${result.fault}.`);
  }
  return { remotes, problems };
}

/** Of the rest of an entry nothing is repeated: it may be secret. */
function nameOf(entry: unknown, index: number): string {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
  return typeof id === 'string' ? JSON.stringify(id) : `number ${index + 1}`;
}
