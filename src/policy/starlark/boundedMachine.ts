import { MAX_ALLOCATED_CELLS, MAX_CALL_DEPTH, MAX_EVALUATION_MS, MAX_STEPS } from './limits';
import { RulesError } from './rulesError';
import type { Span } from './sourceText';
import { Callable, type CallArguments, type Machine, typeOf, type Value } from './values';

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 1024;

/** Counts what the evaluation of one file costs, and ends it with a `RulesError` where it costs too much. */
export class BoundedMachine implements Machine {
  private readonly deadlineMs = performance.now() + MAX_EVALUATION_MS;
  private steps = 0;
  private cells = 0;
  private depth = 0;

  step(span: Span): void {
    this.steps++;
    if (this.steps > MAX_STEPS) throw new RulesError('limit', `the file takes more than ${MAX_STEPS} steps`, span);
    if (this.steps % STEPS_PER_LOOK === 0 && performance.now() > this.deadlineMs) {
      throw new RulesError('limit', `the file takes longer than ${MAX_EVALUATION_MS} milliseconds`, span);
    }
  }

  allocate(cells: number, span: Span): void {
    this.cells += cells;
    if (this.cells > MAX_ALLOCATED_CELLS) {
      throw new RulesError('limit', `the file makes more than ${MAX_ALLOCATED_CELLS} characters and elements`, span);
    }
  }

  call(callee: Value, args: CallArguments, span: Span): Value {
    if (!(callee instanceof Callable)) {
      throw new RulesError('runtime', `Operation \`call()\` not supported on type \`${typeOf(callee)}\``, span);
    }
    this.step(span);
    if (this.depth >= MAX_CALL_DEPTH) throw new RulesError('runtime', 'Starlark call stack overflow', span);
    this.depth++;
    const result = callee.run({ ...args, name: callee.name, span, machine: this });
    this.depth--;
    return result;
  }
}
