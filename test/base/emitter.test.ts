import { expect, test } from 'vitest';
import { DisposableStore, toDisposable } from '../../src/base/disposable';
import { Emitter } from '../../src/base/emitter';
import { createLineLog } from '../../src/base/log';

test('an emitter tells its listeners in order until they unsubscribe', () => {
  const emitter = new Emitter<string>();
  const heard: string[] = [];
  const first = emitter.event((value) => heard.push(`first ${value}`));
  emitter.event((value) => heard.push(`second ${value}`));

  emitter.fire('a');
  first.dispose();
  emitter.fire('b');

  expect(heard).toEqual(['first a', 'second a', 'second b']);
});

test('a listener that throws does not keep the next one from being told', () => {
  const errors: unknown[] = [];
  const emitter = new Emitter<string>((error) => errors.push(error));
  const heard: string[] = [];
  emitter.event(() => {
    throw new Error('broken');
  });
  emitter.event((value) => heard.push(value));

  emitter.fire('a');

  expect({ heard, errors }).toEqual({ heard: ['a'], errors: [new Error('broken')] });
});

test('a store releases everything once, last added first, and late additions at once', () => {
  const released: string[] = [];
  const store = new DisposableStore();
  store.add(toDisposable(() => released.push('first')));
  store.add(toDisposable(() => released.push('second')));

  store.dispose();
  store.dispose();
  store.add(toDisposable(() => released.push('late')));

  expect(released).toEqual(['second', 'first', 'late']);
});

test('a log shows its level and the weightier ones', () => {
  const lines: string[] = [];
  const log = createLineLog('warn', (line) => lines.push(line.replace(/^\S+ /, '')));

  log.info('not shown');
  log.warn('shown');
  log.error('failed', 'reason');

  expect(lines).toEqual(['warn shown', 'error failed: reason']);
});
