/**
 * Builds `dist/`: one self-contained bundle per entry point, and beside them the table of tokens, and the two packages with
 * native code, which no bundler can take in. A bundle needs nothing of the repository's `node_modules`.
 *
 *   node esbuild.mjs                    all entry points, readable, with source maps
 *   node esbuild.mjs cli                only those named
 *   node esbuild.mjs --watch            again on every change
 *   node esbuild.mjs --package          minified, and packed into dist/exec-sessions-<platform-arch>-<version>.vsix
 *   node esbuild.mjs --target <name>    with the native code of another platform, such as darwin-arm64
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';
import { writeTokenTable } from './src/session/text/tokens/writeTokenTable.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** In place of libraries that the SDK loads and we never use: see there. */
const noSchemaValidator = join(root, 'src/mcp/noSchemaValidator.ts');

/** What ships, by the name of its bundle. */
const entryPoints = {
  extension: { source: 'src/extension.ts', external: ['vscode'] },
  cli: { source: 'src/cli.ts', banner: '#!/usr/bin/env node', isExecutable: true },
  // Loaded by `cli`, by the name that it has there.
  cliProgram: { source: 'src/cliProgram.ts' },
  // Half as large as the command line itself, whose start would take 12 ms longer with it: loaded when it is needed.
  sendRequest: { source: 'src/http/sendRequest.ts' },
};

/** Platforms that VS Code has a name for and that node-pty has a prebuilt binary for. */
const targets = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];

class BuildError extends Error {}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      package: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      target: { type: 'string', default: `${process.platform}-${process.arch}` },
    },
  });
  if (!targets.includes(values.target)) {
    throw new BuildError(`unknown target '${values.target}': choose one of ${targets.join(', ')}`);
  }
  const unknown = positionals.find((name) => !(name in entryPoints));
  if (unknown !== undefined) {
    throw new BuildError(`unknown entry point '${unknown}': choose among ${Object.keys(entryPoints).join(', ')}`);
  }
  if (values.package && values.watch) throw new BuildError('--package and --watch exclude each other');
  if (values.package && positionals.length > 0) throw new BuildError('--package takes all entry points: name none');
  const names = positionals.length > 0 ? positionals : Object.keys(entryPoints);
  return { isPackage: values.package, isWatch: values.watch, target: values.target, names };
}

function bundleOptions(name, isPackage) {
  const { source, external = [], banner, isExecutable = false } = entryPoints[name];
  if (!existsSync(join(root, source))) throw new BuildError(`entry point ${source} is missing`);
  const outfile = join('dist', `${name}.js`);
  return {
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Another bundle is found by `require`, which works also in code that was compiled before.
    supported: { 'dynamic-import': false },
    external: ['node-pty', 'koffi', ...external],
    alias: {
      ajv: noSchemaValidator,
      'ajv-formats': noSchemaValidator,
      // The entry of the package for Node.js hides its parts from a bundler.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    },
    define: {
      // Files that belong to the bundles lie beside them.
      BUILT_DATA_FOLDER: '__dirname',
      // Libraries ask it whether they run in a browser; VS Code takes the question for an extension that has to be migrated.
      navigator: 'undefined',
    },
    banner: banner === undefined ? {} : { js: banner },
    minify: isPackage,
    // Class names appear in logs and in error names, also in the packed build.
    keepNames: true,
    // The packed build keeps its maps out of the .vsix, so it must not point at them.
    sourcemap: isPackage ? 'external' : 'linked',
    metafile: true,
    logLevel: 'info',
    // A CommonJS bundle has no `import.meta.url`: better no bundle than one that finds this out at run time.
    logOverride: { 'empty-import-meta': 'error', 'require-resolve-not-external': 'error' },
    plugins: [leaveOtherBundlesOut, ...(isExecutable ? [makeExecutable(join(root, outfile))] : [])],
  };
}

/** What has a bundle of its own is loaded from there, by all others. */
const leaveOtherBundlesOut = {
  name: 'leave-other-bundles-out',
  setup: (bundler) => {
    const names = Object.keys(entryPoints).join('|');
    bundler.onResolve({ filter: new RegExp(`/(${names})$`) }, ({ path, kind, resolveDir }) => {
      const name = basename(path);
      const isBundle = kind === 'dynamic-import' && join(resolveDir, `${name}.ts`) === join(root, entryPoints[name].source);
      return isBundle ? { path: `./${name}.js`, external: true } : undefined;
    });
  },
};

function makeExecutable(path) {
  return {
    name: 'make-executable',
    setup: (bundler) => {
      bundler.onEnd((result) => {
        if (result.errors.length === 0) chmodSync(path, 0o755);
      });
    },
  };
}

/**
 * Lays out `node-pty` and `koffi` as `require` finds them from a bundle, with the binaries of one platform.
 * The new folder is put in place as a whole: a program that runs from the old one keeps its mapped binaries.
 */
function copyNatives(target) {
  const staging = join(dist, `.natives-${process.pid}`);
  try {
    copyNodePty(staging, target);
    copyKoffi(staging, target);
    const place = join(dist, 'node_modules');
    rmSync(place, { recursive: true, force: true });
    renameSync(staging, place);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function copyNodePty(to, target) {
  const prebuilt = `prebuilds/${target}`;
  const from = join(root, 'node_modules', 'node-pty');
  if (!existsSync(join(from, prebuilt))) throw new BuildError(`node-pty has no prebuilt binary for ${target}`);
  const copy = (path, filter = () => true) => {
    cpSync(join(from, path), join(to, 'node-pty', path), { recursive: true, filter });
  };
  copy('package.json');
  copy('LICENSE');
  copy('lib', (path) => statSync(path).isDirectory() || (path.endsWith('.js') && !path.endsWith('.test.js')));
  copy(prebuilt, (path) => !path.endsWith('.pdb'));
  // macOS starts programs through this helper; some ways of unpacking a package drop its mode.
  const helper = join(to, 'node-pty', prebuilt, 'spawn-helper');
  if (existsSync(helper)) chmodSync(helper, 0o755);
}

function copyKoffi(to, target) {
  const modules = join(root, 'node_modules');
  const binary = join('@koromix', `koffi-${target}`);
  if (!existsSync(join(modules, binary))) {
    const version = JSON.parse(readFileSync(join(modules, 'koffi', 'package.json'), 'utf8')).version;
    throw new BuildError(
      `koffi's binary for ${target} is not installed: npm install --no-save --force @koromix/koffi-${target}@${version}`,
    );
  }
  for (const path of ['package.json', 'LICENSE.txt', 'index.cjs', 'src/koffi/index.cjs', 'src/koffi/src/static.cjs']) {
    cpSync(join(modules, 'koffi', path), join(to, 'koffi', path));
  }
  // The node-pty binary is for glibc, so the one of koffi for musl would never be asked for.
  cpSync(join(modules, binary), join(to, binary), { recursive: true, filter: (path) => !path.includes('musl_') });
}

/** Not bundled, but the table of tokens is made of it. */
const vocabularyPackage = 'node_modules/gpt-tokenizer';

/** The licences of all that the bundles contain ask to be shown with every copy. */
function writeNotices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const bundled = inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  const folders = new Set([vocabularyPackage, ...bundled]);
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(root, folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  writeFileSync(join(dist, 'THIRD_PARTY_NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}

async function packVsix(target) {
  const { createVSIX } = await import('@vscode/vsce');
  const name = `${manifest.name}-${target}-${manifest.version}.vsix`;
  for (const old of readdirSync(dist).filter((entry) => entry.endsWith('.vsix') && entry.includes(`-${target}-`))) {
    rmSync(join(dist, old));
  }
  await createVSIX({
    cwd: root,
    packagePath: join(dist, name),
    target,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
}

async function main() {
  const { isPackage, isWatch, target, names } = readOptions();
  const bundles = names.map((name) => bundleOptions(name, isPackage));
  mkdirSync(dist, { recursive: true });
  copyNatives(target);
  await writeTokenTable(dist);
  if (isWatch) {
    const contexts = await Promise.all(bundles.map((options) => context(options)));
    await Promise.all(contexts.map((bundler) => bundler.watch()));
    return;
  }
  const results = await Promise.all(bundles.map((options) => build(options)));
  writeNotices(results.map((result) => result.metafile));
  if (isPackage) await packVsix(target);
}

try {
  await main();
} catch (error) {
  // esbuild has already printed its own errors, with the place in the source.
  const isUsage = error instanceof BuildError || String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!Array.isArray(error.errors)) console.error(isUsage ? `esbuild.mjs: ${error.message}` : error);
  process.exitCode = 1;
}
