import type { Span } from './sourceText';

/** What an expression can be: integers are bigints, floats are numbers. */
export type Value = null | boolean | bigint | number | string | Bytes | List | Tuple | Sequence | Dict | Callable;

export class Bytes {
  constructor(readonly text: string) {}
}

export class List {
  /** Loops that go through it now, during which it must not change. */
  iterators = 0;

  constructor(
    readonly items: Value[],
    /** Where the items stand, if they were written as a list. */
    readonly spans: readonly Span[] = [],
  ) {}
}

export class Tuple {
  constructor(readonly items: readonly Value[]) {}
}

/** What `range` makes. */
export class Sequence {
  constructor(readonly items: readonly bigint[]) {}
}

export class Dict {
  iterators = 0;
  /** By `hashKey` of the key. */
  readonly entries = new Map<string, readonly [key: Value, value: Value]>();
}

/** What evaluations run on: it counts what they cost, and throws a `RulesError` at `span` where that is too much. */
export interface Machine {
  /** To be told of everything that is evaluated. */
  step(span: Span): void;
  /** To be asked before as many characters or elements are made. */
  allocate(cells: number, span: Span): void;
  call(callee: Value, args: CallArguments, span: Span): Value;
}

/** Where an evaluation is: what it does wrong is told of there. */
export interface Place {
  readonly span: Span;
  readonly machine: Machine;
}

export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** A call as the function sees it that is called. */
export interface Call extends Place, CallArguments {
  readonly name: string;
}

export class Callable {
  constructor(
    readonly name: string,
    readonly run: (call: Call) => Value,
  ) {}
}

export function typeOf(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'string';
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof List) return 'list';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Sequence) return 'range';
  return value instanceof Dict ? 'dict' : 'function';
}

export function isTrue(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return false;
  if (value instanceof List || value instanceof Tuple || value instanceof Sequence) return value.items.length > 0;
  return value instanceof Dict ? value.entries.size > 0 : true;
}
