/** For tests of the sources: a folder with what a build puts beside the bundles. */
export const builtDataFolder: string;
/** Fills it; the test runner calls this before the first test. */
export function setup(): Promise<void>;
