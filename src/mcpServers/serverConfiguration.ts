/** What can be configured of MCP servers that are reached through an environment: the setting, key by key. */
import * as z from 'zod';

/** A value of this machine, or of the one that needs it, by the name of its variable. */
export interface VariableSource {
  readonly name: string;
  /** `local`: of the window. `remote`: of the environment, where nobody else gets to know it. */
  readonly source: 'local' | 'remote';
}

export interface StdioServer {
  readonly kind: 'stdio';
  readonly argv: readonly [string, ...string[]];
  /** An absolute path in the environment. */
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly variables: readonly VariableSource[];
}

export interface ServerHeader {
  readonly name: string;
  /** What goes before the variable, if there is one. */
  readonly value: string;
  readonly variable: VariableSource | undefined;
}

export interface HttpServer {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: readonly ServerHeader[];
}

export interface ServerConfiguration {
  readonly name: string;
  /** `undefined`: where commands run that name no environment. */
  readonly environmentId: string | undefined;
  readonly server: StdioServer | HttpServer;
}

export interface ReadServers {
  readonly servers: readonly ServerConfiguration[];
  /** A sentence for each server that is left out. */
  readonly problems: readonly string[];
}

/** Names stand in addresses and on command lines. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** What separates the names of variables from their values cannot be in them. */
const variableName = z.string().regex(/^[^=\0]+$/, 'it is not the name of a variable');
const source = z.enum(['local', 'remote']).default('local');
const variable = z.union([
  variableName.transform((name): VariableSource => ({ name, source: 'local' })),
  z.strictObject({ name: variableName, source }),
]);
const header = z.union([
  z.string().transform((value) => ({ value, variable: undefined })),
  z
    .strictObject({ env: variableName, source, prefix: z.string().default('') })
    .transform(({ env, source: from, prefix }) => ({ value: prefix, variable: { name: env, source: from } })),
]);
const httpUrl = z.string().refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
  error: 'it does not begin with http:// or https://',
});

const entry = z.strictObject({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  env: z.record(variableName, z.string()).optional(),
  env_vars: z.array(variable).optional(),
  url: httpUrl.optional(),
  headers: z.record(z.string(), header).optional(),
  environment: z.string().optional(),
});
type Entry = z.output<typeof entry>;

/** The servers of the setting `source`, which is as somebody wrote it. */
export function readServers(value: unknown, setting: string): ReadServers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { servers: [], problems: [`${setting} is not an object of servers by their names.`] };
  }
  const servers: ServerConfiguration[] = [];
  const problems: string[] = [];
  for (const [name, keys] of Object.entries(value)) {
    const read = readServer(name, keys);
    if (typeof read === 'string') problems.push(`The MCP server ${JSON.stringify(name)} of ${setting} ${read}.`);
    else servers.push(read);
  }
  return { servers, problems };
}

/** The server, or what is wrong with it. Nothing of its values is repeated: they may be secret. */
function readServer(name: string, value: unknown): ServerConfiguration | string {
  if (!NAME.test(name)) return 'has no valid name: 1 to 64 letters, digits, "_", "." and "-"';
  const parsed = entry.safeParse(value);
  if (!parsed.success) return faultOf(parsed.error);
  const keys = parsed.data;
  if ((keys.command === undefined) === (keys.url === undefined)) return 'has to have either a command or a url';
  const server = keys.url === undefined ? readStdio(keys) : readHttp(keys, keys.url);
  return typeof server === 'string' ? server : { name, environmentId: keys.environment, server };
}

function readStdio({
  command = '',
  args = [],
  cwd,
  env = {},
  env_vars: variables = [],
  headers,
}: Entry): StdioServer | string {
  if (headers !== undefined) return 'has headers, which need a url';
  return { kind: 'stdio', argv: [command, ...args], cwd, env, variables };
}

function readHttp({ args, cwd, env, env_vars: variables, headers = {} }: Entry, url: string): HttpServer | string {
  if ([args, cwd, env, variables].some((key) => key !== undefined)) {
    return 'has a url: args, cwd, env and env_vars are for commands';
  }
  return { kind: 'http', url, headers: Object.entries(headers).map(([name, rest]) => ({ name, ...rest })) };
}

function faultOf({ issues: [issue] }: z.ZodError): string {
  if (issue?.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return `has the unknown key ${unknown}; the keys are ${Object.keys(entry.shape).join(', ')}`;
  }
  if (issue === undefined || issue.path.length === 0) return 'is not an object of keys';
  return `has a wrong ${issue.path.join('.')}: ${issue.message}`;
}
