/** What a window and a command line may both use: everything but each other. */
const belowDoors = [
  'process',
  'session',
  'files',
  'http',
  'execServer',
  'environment',
  'policy',
  'sandbox',
  'escalation',
  'mcpServers',
  'mcp',
  'attach',
];

/**
 * The layers of the product, lowest first: each folder of `src/` with the folders that it may import besides itself and
 * `base`. This is the one place that says so: `eslint.config.mjs` and `layers.test.ts` both read it.
 */
export const layers = {
  base: [],
  process: [],
  session: ['process'],
  files: [],
  http: [],
  execServer: ['process', 'files', 'http'],
  environment: ['process', 'files', 'http', 'execServer'],
  policy: [],
  sandbox: ['process', 'policy'],
  escalation: ['process', 'policy', 'sandbox'],
  mcpServers: ['process', 'http', 'environment'],
  mcp: ['session', 'files', 'environment', 'policy'],
  attach: ['execServer', 'mcp'],
  vscode: belowDoors,
  cli: belowDoors,
};

/** Files of `src/` itself: they put the layers together, and nobody imports them. */
export const entryPoints = ['extension', 'cli', 'cliProgram'];

/** Packages that one layer hides from all others, by the folders and entry points that may name them, even as types. */
export const ownedPackages = {
  vscode: ['vscode', 'extension'],
  'node-pty': ['process'],
  koffi: ['process'],
  ws: ['execServer'],
  undici: ['http'],
};

/** Folders that import no package and no module of Node: they must run anywhere. */
export const pureLayers = ['base'];

/** Files outside `src/` that any layer may import: the manifest is where the version is written. */
export const importableFiles = ['package.json'];

/** The folders that `layer` may import, itself and `base` included. */
export function importableFrom(layer) {
  return [...new Set([layer, 'base', ...layers[layer]])];
}
