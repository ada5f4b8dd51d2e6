/** Writes the file that `loadTokenTable` reads into `folder`, which is made if it is not there. */
export function writeTokenTable(folder: string): Promise<void>;
