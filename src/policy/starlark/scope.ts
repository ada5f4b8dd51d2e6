import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import type { Value } from './values';

/** The variables of a file, a function or a comprehension, within those around it. */
export class Scope {
  private readonly values = new Map<string, Value>();

  constructor(
    /** All that are ever bound here: they hide the same names further out even before they are bound. */
    private readonly names: ReadonlySet<string>,
    private readonly outer: Scope | undefined,
  ) {}

  set(name: string, value: Value): void {
    this.values.set(name, value);
  }

  get(name: string, span: Span): Value {
    if (!this.names.has(name)) {
      if (this.outer !== undefined) return this.outer.get(name, span);
      throw new RulesError('undefined-name', `Variable \`${name}\` not found`, span);
    }
    const value = this.values.get(name);
    if (value !== undefined) return value;
    throw new RulesError('runtime', `Local variable \`${name}\` referenced before assignment`, span);
  }
}
