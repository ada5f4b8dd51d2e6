import { fileURLToPath } from 'node:url';

/** The command line as it is built and shipped. */
export const cliPath = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
