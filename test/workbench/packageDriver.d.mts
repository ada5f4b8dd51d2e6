export function packageDriver(folder: string): Promise<string>;
