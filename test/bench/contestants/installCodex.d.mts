export function installCodex(): Promise<string>;
