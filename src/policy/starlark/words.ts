import { Bytes, Callable, Dict, List, Sequence, Tuple, type Value } from './values';

/** Values that hold one another, even themselves, are written out this deep. */
const MAX_DEPTH = 20;

/** And this long: lists that hold one list many times have no length that could be foreseen. */
const MAX_WRITTEN_ITEMS = 10_000;

/** How Starlark writes a value: what `repr` gives. */
export function repr(value: Value): string {
  return new Writer().write(value, 0);
}

/** What `str` gives: a string is itself. */
export function str(value: Value): string {
  return typeof value === 'string' ? value : repr(value);
}

class Writer {
  private written = 0;

  write(value: Value, depth: number): string {
    this.written++;
    if (depth > MAX_DEPTH || this.written > MAX_WRITTEN_ITEMS) return '...';
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number') return Number.isInteger(value) ? value.toFixed(1) : String(value);
    if (typeof value === 'string') return JSON.stringify(value);
    if (value instanceof Bytes) return `b${JSON.stringify(value.text)}`;
    if (value instanceof Callable) return `<function ${value.name}>`;
    if (value instanceof Sequence) return `range(${value.items.length})`;
    if (value instanceof List) return `[${this.writeAll(value.items, depth)}]`;
    if (value instanceof Tuple) return `(${this.writeAll(value.items, depth)}${value.items.length === 1 ? ',' : ''})`;
    return `{${this.entries(value, depth)}}`;
  }

  private entries(dict: Dict, depth: number): string {
    const entries = Array.from(dict.entries.values(), ([key, value]) => {
      return `${this.write(key, depth + 1)}: ${this.write(value, depth + 1)}`;
    });
    return entries.join(', ');
  }

  private writeAll(items: readonly Value[], depth: number): string {
    return items.map((item) => this.write(item, depth + 1)).join(', ');
  }
}
