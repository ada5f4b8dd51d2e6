/** What an operation on files may reach, as whoever asks for it has it; in the words of Codex, whose clients send it. */
export interface FileSandbox {
  readonly permissions: FilePermissions;
  /** What `currentDirectory` means: an absolute path. */
  readonly cwd?: string | undefined;
  /** What `workspaceRoots` means: absolute paths. */
  readonly workspaceRoots?: readonly string[] | undefined;
}

/** Unless unrestricted, what no entry names is not there. */
export type FilePermissions =
  { readonly kind: 'unrestricted' } | { readonly kind: 'restricted'; readonly entries: readonly SandboxEntry[] };

export interface SandboxEntry {
  readonly where: SandboxPlace;
  readonly access: 'read' | 'write' | 'deny';
}

/**
 * Places named by a role have their meaning on the machine whose files they are. `pattern` is an absolute path with `*`, `?`, `[a-z]`
 * and `**`, and takes only `deny`. `systemFiles` are those that programs need to start.
 */
export type SandboxPlace =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | {
      readonly kind: 'root' | 'systemFiles' | 'currentDirectory' | 'workspaceRoots' | 'temporaryDirectory' | 'slashTmp';
      /** Below the place; a relative path. */
      readonly subpath?: string | undefined;
    };
