import { posix } from 'node:path';
import { isBuiltin } from 'node:module';
import { importsOf } from './importsOf';

/** The rules: see `layers.mjs`, which holds those of the product. */
export interface LayerTable {
  readonly layers: Readonly<Record<string, readonly string[]>>;
  readonly entryPoints: readonly string[];
  readonly ownedPackages: Readonly<Record<string, readonly string[]>>;
  readonly pureLayers: readonly string[];
  readonly importableFiles: readonly string[];
}

/** The text of each source file by its path inside `src/`, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

/** Every import that the table does not allow, and every file that it does not know, one sentence each. */
export function checkLayers(sources: Sources, table: LayerTable): string[] {
  return [...sources].flatMap(([path, text]) => {
    const place = placeOf(path);
    if (!isKnownPlace(place, path, table)) return [`${path}: the layer table does not name '${place}'`];
    return importsOf(path, text).flatMap(({ specifier, line }) => {
      const fault =
        specifier === undefined ? 'imports a computed name' : faultOf({ path, place, specifier }, sources, table);
      return fault === undefined ? [] : [`${path}:${String(line)}: ${fault}`];
    });
  });
}

/** Every group of files that import each other in a circle, each as one way round. */
export function findCircles(sources: Sources): string[] {
  const targets = new Map<string, string[]>();
  for (const [path, text] of sources) {
    const found = importsOf(path, text).map(({ specifier }) => resolve(path, specifier ?? '', sources));
    targets.set(path, [...new Set(found.filter((target) => target !== undefined))]);
  }
  const circles: string[] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || finished.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of sources.keys()) walk(path, []);
  return circles;
}

/** The layer of a file, or the name of a file in `src/` itself. */
function placeOf(path: string): string {
  const [first = '', ...rest] = path.split('/');
  return rest.length > 0 ? first : first.replace(/\.ts$/, '');
}

function isKnownPlace(place: string, path: string, table: LayerTable): boolean {
  return path.includes('/') ? place in table.layers : table.entryPoints.includes(place);
}

interface Edge {
  readonly path: string;
  readonly place: string;
  readonly specifier: string;
}

function faultOf(edge: Edge, sources: Sources, table: LayerTable): string | undefined {
  return edge.specifier.startsWith('.') ? relativeFault(edge, sources, table) : packageFault(edge, table);
}

function relativeFault({ path, place, specifier }: Edge, sources: Sources, table: LayerTable): string | undefined {
  const target = resolve(path, specifier, sources);
  if (target === undefined) {
    const outside = posix.join(posix.dirname(path), specifier);
    const isShared = table.importableFiles.some((file) => outside === `../${file}`);
    return isShared ? undefined : `imports '${specifier}', which is no file of src`;
  }
  const targetPlace = placeOf(target);
  if (!target.includes('/')) return `imports the entry point '${target}'`;
  if (table.entryPoints.includes(place) && !path.includes('/')) return undefined;
  const allowed = [place, 'base', ...(table.layers[place] ?? [])];
  return allowed.includes(targetPlace) ? undefined : `'${place}' must not import '${targetPlace}' (${specifier})`;
}

function packageFault({ path, place, specifier }: Edge, table: LayerTable): string | undefined {
  if (path.includes('/') && table.pureLayers.includes(place)) return `'${place}' must not import '${specifier}'`;
  if (isBuiltin(specifier)) {
    return specifier.startsWith('node:') ? undefined : `imports '${specifier}' without the prefix 'node:'`;
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const owners = table.ownedPackages[name];
  return owners === undefined || owners.includes(place) ? undefined : `'${place}' must not import '${name}'`;
}

function resolve(from: string, specifier: string, sources: Sources): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const base = posix.join(posix.dirname(from), specifier);
  return [base, `${base}.ts`, base.replace(/\.js$/, '.ts'), `${base}/index.ts`].find((path) => sources.has(path));
}
