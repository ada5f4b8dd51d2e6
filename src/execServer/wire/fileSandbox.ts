/** What file requests may reach: as it travels, and as the files port has it. */
import { z } from 'zod';
import type { FilePermissions, FileSandbox, SandboxEntry, SandboxPlace } from '../../files/sandbox/fileSandbox';
import { fromPathUri, toPathUri } from './pathUri';
import { optional } from './values';

type Role = Exclude<SandboxPlace['kind'], 'path' | 'pattern'>;

const WIRE_ROLES: Readonly<Record<Role, string>> = {
  root: 'root',
  systemFiles: 'minimal',
  currentDirectory: 'current_working_directory',
  workspaceRoots: 'project_roots',
  temporaryDirectory: 'tmpdir',
  slashTmp: 'slash_tmp',
};
const ROLES = Object.fromEntries(Object.entries(WIRE_ROLES).map(([role, name]) => [name, role as Role]));
/** Places that a newer client knows: of no meaning here. */
const UNKNOWN_ROLE = 'unknown';
/** These mean nothing without the folder of whoever asks. */
const DYNAMIC_ROLES: readonly SandboxPlace['kind'][] = ['currentDirectory', 'workspaceRoots'];

const place = z.discriminatedUnion('type', [
  z.object({ type: z.literal('path'), path: z.string() }),
  z.object({ type: z.literal('glob_pattern'), pattern: z.string() }),
  z.object({
    type: z.literal('special'),
    value: z.object({ kind: z.enum([...Object.keys(ROLES), UNKNOWN_ROLE]), subpath: optional(z.string()) }),
  }),
]);
const entry = z.object({ path: place, access: z.enum(['read', 'write', 'deny', 'none']) });
const permissions = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('managed'),
    file_system: z.discriminatedUnion('type', [
      z.object({ type: z.literal('restricted'), entries: z.array(entry) }),
      z.object({ type: z.literal('unrestricted') }),
    ]),
  }),
  z.object({ type: z.literal('disabled') }),
  z.object({ type: z.literal('external') }),
]);
const roots = optional(z.array(z.string()));

export const fileSandbox = z.object({
  permissions,
  windowsSandboxLevel: z.enum(['disabled', 'restricted-token', 'elevated', 'mxc']),
  cwd: optional(z.string()),
  workspaceRoots: roots,
  /** Where it is given, places named by a role have their meaning by it. */
  policyContext: optional(z.object({ cwd: z.string(), workspaceRoots: roots })),
});
export type WireFileSandbox = z.infer<typeof fileSandbox>;

/** Throws invalid params. */
export function fromWireSandbox(wire: WireFileSandbox | undefined): FileSandbox | undefined {
  if (wire === undefined) return undefined;
  const cwd = wire.cwd === undefined ? undefined : fromPathUri(wire.cwd, 'sandbox.cwd');
  const { cwd: contextCwd, workspaceRoots } = wire.policyContext ?? wire;
  return {
    permissions: fromWirePermissions(wire.permissions),
    cwd: contextCwd === undefined ? cwd : fromPathUri(contextCwd, 'sandbox.policyContext.cwd'),
    workspaceRoots: workspaceRoots?.map((root) => fromPathUri(root, 'sandbox.workspaceRoots')),
  };
}

/** Whether it holds places that mean nothing without a folder, and that is not there. */
export function lacksCwd({ permissions: known, cwd }: FileSandbox): boolean {
  if (known.kind === 'unrestricted' || cwd !== undefined) return false;
  return known.entries.some(({ where }) => DYNAMIC_ROLES.includes(where.kind));
}

export function toWireSandbox(sandbox: FileSandbox | undefined): unknown {
  if (sandbox === undefined) return null;
  const { permissions: known, cwd, workspaceRoots } = sandbox;
  const fileSystem =
    known.kind === 'unrestricted'
      ? { type: 'unrestricted' }
      : { type: 'restricted', entries: known.entries.map(toWireEntry) };
  return {
    permissions: { type: 'managed', file_system: fileSystem, network: 'restricted' },
    windowsSandboxLevel: 'disabled',
    ...(cwd !== undefined && { cwd: toPathUri(cwd) }),
    workspaceRoots: (workspaceRoots ?? []).map(toPathUri),
  };
}

function fromWirePermissions(wire: WireFileSandbox['permissions']): FilePermissions {
  if (wire.type !== 'managed' || wire.file_system.type === 'unrestricted') return { kind: 'unrestricted' };
  return { kind: 'restricted', entries: wire.file_system.entries.flatMap(fromWireEntry) };
}

function fromWireEntry({ path, access }: z.infer<typeof entry>): SandboxEntry[] {
  const where = fromWirePlace(path);
  return where === undefined ? [] : [{ where, access: access === 'none' ? 'deny' : access }];
}

function fromWirePlace(wire: z.infer<typeof place>): SandboxPlace | undefined {
  switch (wire.type) {
    case 'path':
      return { kind: 'path', path: fromPathUri(wire.path, 'sandbox.permissions path') };
    case 'glob_pattern':
      return { kind: 'pattern', pattern: wire.pattern };
    case 'special': {
      const { kind, subpath } = wire.value;
      const role = ROLES[kind];
      return role === undefined ? undefined : { kind: role, subpath };
    }
  }
}

function toWireEntry({ where, access }: SandboxEntry): unknown {
  return { path: toWirePlace(where), access };
}

function toWirePlace(where: SandboxPlace): unknown {
  switch (where.kind) {
    case 'path':
      return { type: 'path', path: toPathUri(where.path) };
    case 'pattern':
      return { type: 'glob_pattern', pattern: where.pattern };
    default: {
      const { kind, subpath } = where;
      return { type: 'special', value: { kind: WIRE_ROLES[kind], ...(subpath !== undefined && { subpath }) } };
    }
  }
}
