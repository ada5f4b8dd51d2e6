export const layers: Readonly<Record<string, readonly string[]>>;
export const entryPoints: readonly string[];
export const ownedPackages: Readonly<Record<string, readonly string[]>>;
export const pureLayers: readonly string[];
export const importableFiles: readonly string[];
export function importableFrom(layer: string): string[];
