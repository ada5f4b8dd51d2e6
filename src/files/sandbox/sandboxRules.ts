/** What a sandbox lets through, in places without links of this machine at this moment. Knows nothing of how they are reached. */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import { FileError, isNotFound } from '../fileError';
import type { Need } from '../reach';
import { compileDenyPattern } from './denyPattern';
import type { FileSandbox, SandboxEntry } from './fileSandbox';
import { isWithin, realPlaceOf } from './realPlace';
import { findPlaces } from './sandboxPlaces';

interface Rule {
  readonly path: string;
  readonly access: 'read' | 'write' | 'deny';
}

interface Place extends Rule {
  /** Where its links lead. */
  readonly real: string;
}

interface ResolvedRules {
  /** Of these the longest that a path is within counts; of two for the same path, `write`. */
  readonly grants: readonly Rule[];
  /** These only take away, whatever is granted. */
  readonly limits: readonly Rule[];
  readonly patterns: readonly RegExp[];
  /** Files that are denied, which they are by any other name too. */
  readonly deniedFiles: ReadonlySet<string>;
}

/** What programs of this machine tell of themselves, their environment and open files among it: nothing for whoever is confined. */
const PROCESSES = /^\/proc\/(?:\d+|self|thread-self)(?:\/|$)/;

export class SandboxRules {
  private constructor(private readonly known: ResolvedRules) {}

  static async resolve(sandbox: FileSandbox): Promise<SandboxRules> {
    const entries = sandbox.permissions.kind === 'restricted' ? sandbox.permissions.entries : [];
    const places = await Promise.all(entries.flatMap((entry) => findEntryPlaces(entry, sandbox)).map(locate));
    const grants: Rule[] = [];
    const limits: Rule[] = [];
    for (const place of places) {
      const { access, real } = place;
      const written = places.find((other) => other.access === 'write' && isBelow(place, other));
      // Whoever may write around it may have put a link in its place: where that leads takes rights away, and gives none.
      const path = written === undefined ? real : nodePath.join(written.real, relativeTo(place, written));
      if (access !== 'deny') grants.push({ path, access });
      if (access === 'deny') limits.push({ path, access }, { path: place.path, access });
      if (access !== 'write' && path !== real) limits.push({ path: real, access });
    }
    const denied = places.filter(({ access }) => access === 'deny');
    const deniedFiles = new Set((await Promise.all(denied.map(({ real }) => identifyFile(real)))).flat());
    return new SandboxRules({ grants, limits, patterns: await compilePatterns(entries), deniedFiles });
  }

  /** Throws if that is not to be done there; `path` is what was asked for. */
  check(path: string, realPath: string, need: Need): void {
    const denied = this.findDenial(realPath);
    if (denied === 'below' || (denied === 'itself' && (need === 'list' || need === 'read'))) {
      throw FileError.ofSystem('EACCES', path, 'by the sandbox');
    }
    if (denied === 'itself' && need === 'see') return;
    const level = this.levelOf(realPath);
    if (level === 'hidden') throw FileError.ofSystem('ENOENT', path);
    if (need !== 'write' && need !== 'remove') return;
    if (level !== 'write' || denied !== undefined) throw readOnly(path, realPath);
    if (need === 'remove') this.checkRemoval(path, realPath);
  }

  /** Whether it is a file that is denied, by whatever name it was reached. */
  deniesFile(stats: Stats): boolean {
    return this.known.deniedFiles.has(identityOf(stats));
  }

  /** It is there, but what it holds is not to be known. */
  isMasked(realPath: string): boolean {
    return this.findDenial(realPath) !== undefined;
  }

  canSee(realPath: string): boolean {
    return this.findDenial(realPath) !== undefined || this.levelOf(realPath) !== 'hidden';
  }

  private checkRemoval(path: string, realPath: string): void {
    // It is taken out of its folder, which is to be written too.
    if (this.levelOf(nodePath.dirname(realPath)) !== 'write') throw readOnly(path, nodePath.dirname(realPath));
    const below = [...this.known.grants, ...this.known.limits].find(
      (rule) => rule.access !== 'write' && isWithin(rule.path, realPath),
    );
    if (below !== undefined) throw readOnly(path, below.path);
  }

  private findDenial(realPath: string): 'itself' | 'below' | undefined {
    const denials = this.known.limits.filter(({ access, path }) => access === 'deny' && isWithin(realPath, path));
    if (denials.some(({ path }) => path !== realPath)) return 'below';
    const parent = nodePath.dirname(realPath);
    if (this.known.patterns.some((pattern) => pattern.test(parent))) return 'below';
    return denials.length > 0 || this.known.patterns.some((pattern) => pattern.test(realPath)) ? 'itself' : undefined;
  }

  /** `seen`: on the way to what is granted. */
  private levelOf(realPath: string): 'hidden' | 'seen' | 'read' | 'write' {
    const granting = this.known.grants.filter(({ path }) => isWithin(realPath, path) && !isForeignProcess(realPath, path));
    const length = Math.max(...granting.map(({ path }) => path.length));
    const closest = granting.filter(({ path }) => path.length === length).map(({ access }) => access);
    if (closest.length === 0) return this.known.grants.some(({ path }) => isWithin(path, realPath)) ? 'seen' : 'hidden';
    const isLimited = this.known.limits.some(({ access, path }) => access === 'read' && isWithin(realPath, path));
    return closest.includes('write') && !isLimited ? 'write' : 'read';
  }
}

/** A grant of a larger place does not mean what programs tell of themselves. */
function isForeignProcess(realPath: string, granted: string): boolean {
  return PROCESSES.test(realPath) && !PROCESSES.test(granted);
}

function readOnly(path: string, because: string): FileError {
  return FileError.ofSystem('EROFS', path, `since the sandbox lets nothing be changed at ${because}`);
}

function findEntryPlaces({ where, access }: SandboxEntry, sandbox: FileSandbox): Rule[] {
  return where.kind === 'pattern' ? [] : findPlaces(where, sandbox).map((path) => ({ path, access }));
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** None for a folder, which has one name, and for what is not there. */
async function identifyFile(path: string): Promise<string[]> {
  try {
    const stats = await lstat(path);
    return stats.isDirectory() ? [] : [identityOf(stats)];
  } catch (error) {
    if (isNotFound(FileError.from(error, path))) return [];
    throw error;
  }
}

async function locate(rule: Rule): Promise<Place> {
  return { ...rule, real: await realPlaceOf(rule.path) };
}

function isBelow(place: Place, other: Place): boolean {
  return place.path !== other.path && (isWithin(place.path, other.path) || isWithin(place.path, other.real));
}

function relativeTo(place: Place, other: Place): string {
  return nodePath.relative(isWithin(place.path, other.path) ? other.path : other.real, place.path);
}

/** Patterns only deny; one that was meant to grant something grants nothing. */
async function compilePatterns(entries: readonly SandboxEntry[]): Promise<RegExp[]> {
  const patterns = entries.flatMap(({ where, access }) =>
    where.kind === 'pattern' && access === 'deny' ? [where.pattern] : [],
  );
  return (
    await Promise.all(
      patterns.map(async (pattern) => {
        const fixed = pattern.slice(0, pattern.search(/[^/]*(?:[*?[]|$)/));
        const real = await realPlaceOf(nodePath.resolve('/', fixed));
        const moved = nodePath.join(real, pattern.slice(fixed.length));
        return [...new Set([pattern, moved])].map(compileDenyPattern);
      }),
    )
  ).flat();
}
