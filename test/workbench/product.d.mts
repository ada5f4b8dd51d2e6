export function productVsixPath(): string;
export function ensureDependencies(options?: { log?: (line: string) => void }): Promise<void>;
export function buildProduct(options?: { log?: (line: string) => void }): Promise<string>;
