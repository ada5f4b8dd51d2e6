export function cacheDir(): string;
export function workbenchDir(): string;
export function node24Path(): string;
export function codeServerEntryPath(): string;
export function chromiumPath(): string | undefined;
export function installWorkbench(options?: { log?: (line: string) => void; browser?: boolean }): Promise<void>;
