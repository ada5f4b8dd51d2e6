import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLayers, findCircles, type LayerTable, type Sources } from './checkLayers';
import { importsOf } from './importsOf';
import * as table from './layers.mjs';

const src = join(import.meta.dirname, '..', '..', 'src');

/** Where a file should be split, by what the projects that we learn from report as the start of trouble. */
const MAX_LINES_PER_FILE = 400;
/** A composition root only puts together: more lines than this hold logic. */
const MAX_LINES_PER_ENTRY_POINT = 120;

function readSources(): Sources {
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.filter((path) => path.endsWith('.ts')).map((path) => [path, readFileSync(join(src, path), 'utf8')]));
}

function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

describe('the sources', () => {
  const sources = readSources();

  it('are there to be checked', () => {
    expect(sources.size).toBeGreaterThan(0);
  });

  it('import only what the layer table allows, and lie only in folders that it names', () => {
    expect(checkLayers(sources, table)).toEqual([]);
  });

  it('do not import each other in circles', () => {
    expect(findCircles(sources)).toEqual([]);
  });

  it('contain no file that is too long to be read in one go', () => {
    const sizes = [...sources].map(([path, text]) => ({ path, lines: countLines(text) }));

    expect(sizes.filter(({ lines }) => lines > MAX_LINES_PER_FILE)).toEqual([]);
  });

  it('have entry points that only put the product together', () => {
    const sizes = table.entryPoints.map((name) => ({ name, lines: countLines(sources.get(`${name}.ts`) ?? '') }));

    expect(sizes.filter(({ lines }) => lines > MAX_LINES_PER_ENTRY_POINT)).toEqual([]);
  });
});

describe('the layer table', () => {
  it('lets a layer import only layers that stand above it in the table', () => {
    const names = Object.keys(table.layers);
    const upward = Object.entries(table.layers).flatMap(([layer, imports]) =>
      imports
        .filter((other) => !names.slice(0, names.indexOf(layer)).includes(other))
        .map((other) => `${layer} -> ${other}`),
    );

    expect(upward).toEqual([]);
  });

  it('gives packages only to layers and entry points that exist', () => {
    const owners = [...Object.values(table.ownedPackages).flat(), ...table.pureLayers];

    expect(owners.filter((owner) => !(owner in table.layers) && !table.entryPoints.includes(owner))).toEqual([]);
  });
});

describe('importsOf', () => {
  it.each([
    ["import { a } from 'm';", 'm'],
    ["import 'm';", 'm'],
    ["import type { A } from 'm';", 'm'],
    ["export { a } from 'm';", 'm'],
    ["export * from 'm';", 'm'],
    ["import m = require('m');", 'm'],
    ["const m = require('m');", 'm'],
    ["const path = require.resolve('m');", 'm'],
    ["function f() { return import('m'); }", 'm'],
    ['const m = await import(`m`);', 'm'],
    ["let m: typeof import('m');", 'm'],
    ["let a: import('m').A;", 'm'],
    ['const m = await import(name);', undefined],
    ['const m = require(`./${name}`);', undefined],
  ])('sees the module in %s', (text, specifier) => {
    expect(importsOf('a.ts', text)).toEqual([{ specifier, line: 1 }]);
  });

  it('sees nothing in comments, strings and exports of the file itself', () => {
    const text = "// import 'm'\nconst s = \"import 'm'\";\nexport { s };\nexport const r = { require: () => 1 };\n";

    expect(importsOf('a.ts', text)).toEqual([]);
  });
});

const example: LayerTable = {
  layers: { base: [], session: [], mcp: ['session'], vscode: ['session', 'mcp'] },
  entryPoints: ['cli'],
  ownedPackages: { vscode: ['vscode'], '@scope/native': ['session'] },
  pureLayers: ['base'],
  importableFiles: ['package.json'],
};

const exampleFiles = {
  'base/log.ts': '',
  'session/session.ts': "import '../base/log';",
  'session/parts/part.ts': "import '../session';",
  'mcp/server.ts': "import { s } from '../session/session';",
  'vscode/panel.ts': "import * as vscode from 'vscode';",
  'cli.ts': "import './mcp/server';",
};

/** What the checker says of the example once `path` holds `text`. */
function check(path: string, text: string): string[] {
  return checkLayers(new Map(Object.entries({ ...exampleFiles, [path]: text })), example);
}

describe('checkLayers', () => {
  it('accepts sources that follow the table', () => {
    expect(checkLayers(new Map(Object.entries(exampleFiles)), example)).toEqual([]);
  });

  it.each([
    ['session/a.ts', "import '../mcp/server';", "'session' must not import 'mcp' (../mcp/server)"],
    ['session/a.ts', "import type { S } from '../mcp/server';", "'session' must not import 'mcp' (../mcp/server)"],
    ['session/a.ts', "export * from '../mcp/server';", "'session' must not import 'mcp' (../mcp/server)"],
    ['session/deep/a.ts', "void import('../../mcp/server');", "'session' must not import 'mcp' (../../mcp/server)"],
    ['base/a.ts', "import '../session/session';", "'base' must not import 'session' (../session/session)"],
    ['base/a.ts', "import 'node:fs';", "'base' must not import 'node:fs'"],
    ['base/a.ts', "import 'zod';", "'base' must not import 'zod'"],
    ['mcp/a.ts', "import type { Uri } from 'vscode';", "'mcp' must not import 'vscode'"],
    ['mcp/a.ts', "import '@scope/native/lib/x';", "'mcp' must not import '@scope/native'"],
    ['cli.ts', "import 'vscode';", "'cli' must not import 'vscode'"],
    ['mcp/a.ts', "import '../cli';", "imports the entry point 'cli.ts'"],
    ['mcp/a.ts', "import './missing';", "imports './missing', which is no file of src"],
    ['mcp/a.ts', "import '../../test/support/x';", "imports '../../test/support/x', which is no file of src"],
    ['mcp/a.ts', "import 'fs';", "imports 'fs' without the prefix 'node:'"],
    ['mcp/a.ts', 'void import(name);', 'imports a computed name'],
  ])('refuses in %s: %s', (path, text, fault) => {
    expect(check(path, text)).toEqual([`${path}:1: ${fault}`]);
  });

  it.each([
    ['session/a.ts', "import '@scope/native/lib/x'; import 'node:fs'; import 'zod';"],
    ['vscode/a.ts', "import '../mcp/server'; import '../base/log'; import type { Uri } from 'vscode';"],
    ['mcp/a.ts', "import { version } from '../../package.json';"],
  ])('accepts in %s: %s', (path, text) => {
    expect(check(path, text)).toEqual([]);
  });

  it.each([
    ['helpers/a.ts', "helpers/a.ts: the layer table does not name 'helpers'"],
    ['utils.ts', "utils.ts: the layer table does not name 'utils'"],
    ['session.ts', "session.ts: the layer table does not name 'session'"],
    ['cli/a.ts', "cli/a.ts: the layer table does not name 'cli'"],
  ])('refuses %s, which has no place in the table', (path, fault) => {
    expect(check(path, '')).toEqual([fault]);
  });

  it('says on which line the import stands', () => {
    expect(check('session/a.ts', "\n\nimport '../mcp/server';")).toEqual([
      "session/a.ts:3: 'session' must not import 'mcp' (../mcp/server)",
    ]);
  });
});

describe('findCircles', () => {
  it('finds two files that import each other, whether for values or for types', () => {
    const sources = new Map([
      ['base/a.ts', "import './b';"],
      ['base/b.ts', "import type { A } from './a';"],
    ]);

    expect(findCircles(sources)).toEqual(['base/a.ts -> base/b.ts -> base/a.ts']);
  });

  it('finds a longer circle behind files that are not part of it', () => {
    const sources = new Map([
      ['base/start.ts', "import './a';"],
      ['base/a.ts', "import './b';"],
      ['base/b.ts', "import './c';"],
      ['base/c.ts', "import './a';"],
    ]);

    expect(findCircles(sources)).toEqual(['base/a.ts -> base/b.ts -> base/c.ts -> base/a.ts']);
  });

  it('finds a file that imports itself', () => {
    expect(findCircles(new Map([['base/a.ts', "import './a';"]]))).toEqual(['base/a.ts -> base/a.ts']);
  });

  it('accepts two ways to the same file', () => {
    const sources = new Map([
      ['base/a.ts', "import './b'; import './c';"],
      ['base/b.ts', "import './d';"],
      ['base/c.ts', "import './d';"],
      ['base/d.ts', ''],
    ]);

    expect(findCircles(sources)).toEqual([]);
  });
});
