import path from 'node:path';
import * as z from 'zod';
import { LOCAL_ENVIRONMENT_ID } from '../process/execEnvironment';
import type { RemoteAddress, RemoteConfiguration } from './environmentConfiguration';

/** As with Codex; ids are typed by models and shown in lists. */
export const ID_CHARACTERS = 'A-Za-z0-9_-';
export const MAX_ID_CHARACTERS = 64;
const ID = new RegExp(`^[${ID_CHARACTERS}]{1,${String(MAX_ID_CHARACTERS)}}$`);
/** Mean this machine and nothing at all. */
export const NO_ENVIRONMENT_ID = 'none';
const RESERVED_IDS: readonly string[] = [LOCAL_ENVIRONMENT_ID, NO_ENVIRONMENT_ID];

const MS_PER_SECOND = 1_000;
/** A time as people write it, in milliseconds. */
export const seconds = z
  .number()
  .positive()
  .transform((value) => value * MS_PER_SECOND)
  .optional();

const variables = z.record(z.string().regex(/^[^=\0]+$/), z.string());

/** What settings and files have in common. */
export const commonKeys = {
  id: z.string(),
  url: z.string().optional(),
  program: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: variables.optional(),
  cwd: z.string().optional(),
};

/** An entry in the words of the product, its keys known and each of the right kind. */
export interface Entry {
  readonly id: string;
  readonly label?: string | undefined;
  readonly url?: string | undefined;
  readonly token?: { readonly text: string } | { readonly file: string } | undefined;
  readonly program?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly command?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly initializeTimeoutMs?: number | undefined;
  readonly filesReadOnly?: boolean | undefined;
}

export type EntryResult<T> =
  | { readonly kind: 'read'; readonly value: T }
  /** What is wrong, to go on after the name of the entry. */
  | { readonly kind: 'wrong'; readonly fault: string };

/** Checks the keys of an entry and the kinds of their values. */
export function readKeys<Schema extends z.ZodObject>(schema: Schema, entry: unknown): EntryResult<z.output<Schema>> {
  const parsed = schema.safeParse(entry);
  if (parsed.success) return { kind: 'read', value: parsed.data };
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return wrong(`has the unknown key ${unknown}; the keys are ${Object.keys(schema.shape).join(', ')}`);
  }
  const at = issue === undefined || issue.path.length === 0 ? '' : `has a wrong ${issue.path.join('.')}: `;
  return wrong(at === '' ? 'is not a table of keys' : `${at}${issue?.message ?? ''}`);
}

export interface EntryPlace {
  /** Relative folders start here. */
  readonly folder: string;
  /** Of the entries before. */
  readonly takenIds: ReadonlySet<string>;
}

/** Checks what the keys of an entry say together. */
export function readEntry(entry: Entry, { folder, takenIds }: EntryPlace): EntryResult<RemoteConfiguration> {
  const { id, label, initializeTimeoutMs, filesReadOnly: areFilesReadOnly } = entry;
  switch (findIdFault(id, takenIds)) {
    case 'malformed':
      return wrong(`has no valid id: 1 to ${String(MAX_ID_CHARACTERS)} letters, digits, "_" and "-"`);
    case 'reserved':
      return wrong(`cannot have this id: ${RESERVED_IDS.join(' and ')} have a meaning of their own`);
    case 'taken':
      return wrong('has the id of another one');
    case undefined:
  }
  const address = readAddress(entry, folder);
  if (address.kind === 'wrong') return address;
  return { kind: 'read', value: { id, label, address: address.value, initializeTimeoutMs, areFilesReadOnly } };
}

/** Why an environment cannot be called so. */
export function findIdFault(id: string, takenIds: ReadonlySet<string>): 'malformed' | 'reserved' | 'taken' | undefined {
  if (!ID.test(id)) return 'malformed';
  if (RESERVED_IDS.includes(id)) return 'reserved';
  return takenIds.has(id) ? 'taken' : undefined;
}

function readAddress(entry: Entry, folder: string): EntryResult<RemoteAddress> {
  const { url, program, command, args, env, cwd, token, connectTimeoutMs } = entry;
  const ways = [url, program, command].filter((way) => way !== undefined);
  if (ways.length !== 1) return wrong('has to say one way to its server: a url, a program or, in the settings, a command');
  if (url !== undefined) {
    if (args !== undefined || env !== undefined || cwd !== undefined)
      return wrong('has a url: args, env and cwd are for programs');
    if (!isWebSocketUrl(url)) return wrong('has a url that does not begin with ws:// or wss://');
    return { kind: 'read', value: { kind: 'webSocket', url, token, connectTimeoutMs } };
  }
  if (token !== undefined || connectTimeoutMs !== undefined)
    return wrong('has a token or a time to connect, which need a url');
  const place = { cwd: cwd === undefined ? undefined : path.resolve(folder, cwd), env: env ?? {} };
  if (program !== undefined) {
    return { kind: 'read', value: { kind: 'program', argv: [program, ...(args ?? [])], ...place } };
  }
  if (args !== undefined) return wrong('has args, which need a program: a command is one text for the shell');
  return { kind: 'read', value: { kind: 'shellCommand', command: command ?? '', ...place } };
}

/** Whether an exec-server can have this address. */
export function isWebSocketUrl(url: string): boolean {
  return URL.canParse(url) && ['ws:', 'wss:'].includes(new URL(url).protocol);
}

function wrong(fault: string): { readonly kind: 'wrong'; readonly fault: string } {
  return { kind: 'wrong', fault };
}
