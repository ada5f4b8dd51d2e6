import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { entryPoints, importableFrom, layers, ownedPackages, pureLayers } from './test/architecture/layers.mjs';

/** What one folder of `src/` must not import. `test/architecture/layers.test.ts` has the last word: it resolves paths. */
function importBans(layer) {
  const allowed = importableFrom(layer);
  const banned = Object.keys(layers).filter((other) => !allowed.includes(other));
  const patterns = [
    { regex: `^(\\.\\./)+(${entryPoints.join('|')})$`, message: 'Nothing imports an entry point.' },
    banned.length > 0 && {
      regex: `^(\\.\\./)+(${banned.join('|')})(/|$)`,
      message: `src/${layer} may import only ${allowed.join(', ')}: see test/architecture/layers.mjs.`,
    },
    pureLayers.includes(layer) && { regex: '^[^.]', message: `src/${layer} imports no package and no module of Node.` },
  ].filter(Boolean);
  return { patterns, paths: ownedPackageBans(layer) };
}

function ownedPackageBans(place) {
  return Object.entries(ownedPackages)
    .filter(([, owners]) => !owners.includes(place))
    .map(([name, owners]) => ({
      name,
      message: `Only ${owners.map((owner) => `src/${owner}`).join(' and ')} may name it.`,
    }));
}

const layerRules = Object.keys(layers).map((layer) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: { 'no-restricted-imports': ['error', importBans(layer)] },
}));

const entryPointRules = entryPoints.map((name) => ({
  files: [`src/${name}.ts`],
  rules: { 'no-restricted-imports': ['error', { paths: ownedPackageBans(name) }] },
}));

export default defineConfig(
  globalIgnores(['dist/', 'artifacts/', 'node_modules/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{ts,mts}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/unbound-method': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // An async function without await still turns what it throws into a rejection, which ports promise.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      // Session 0, exit code 0 and '' are values: only `undefined` means absent.
      '@typescript-eslint/strict-boolean-expressions': ['error', { allowNumber: false, allowString: false }],
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      // Output goes to a log port or to the caller; an extension host has no console that anybody sees.
      'no-console': 'error',
    },
  },
  ...layerRules,
  ...entryPointRules,
  {
    files: ['test/**/*.ts'],
    rules: {
      // A test that indexes past the end or gets the wrong shape fails, which is what it is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    rules: { 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
    languageOptions: {
      globals: Object.fromEntries(
        [
          'AbortController',
          'AbortSignal',
          'Buffer',
          'TextDecoder',
          'TextEncoder',
          'URL',
          'URLSearchParams',
          '__dirname',
          '__filename',
          'clearInterval',
          'clearTimeout',
          'console',
          'fetch',
          'performance',
          'process',
          'queueMicrotask',
          'setImmediate',
          'setInterval',
          'setTimeout',
          'structuredClone',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
);
