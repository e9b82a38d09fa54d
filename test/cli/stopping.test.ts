import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { untilAborted } from '../../src/doors/cli/stopping.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('bytes that were passed on are not kept, however long the file is', async () => {
  const pieces: WeakRef<Uint8Array>[] = [];
  async function* file() {
    for (let nth = 0; nth < 20; nth++) {
      const piece = new Uint8Array(65_536);
      pieces.push(new WeakRef(piece));
      yield piece;
    }
  }
  const { signal } = new AbortController();
  let bytes = 0;
  for await (const piece of untilAborted(file(), signal)) bytes += piece.length;
  assert.equal(bytes, 20 * 65_536);
  // What a WeakRef was made of or asked for stays until the turn ends.
  await nextTurn();
  collectGarbage();
  const kept = pieces.filter((piece) => piece.deref() !== undefined);
  assert.ok(kept.length <= 1, `${kept.length} pieces are still in memory`);
  assert.equal(signal.aborted, false);
});

test('a source that waits for input does not delay the end', async () => {
  const stopping = new AbortController();
  async function* terminal() {
    yield new Uint8Array(1);
    stopping.abort();
    await new Promise(() => {});
  }
  let pieces = 0;
  for await (const _ of untilAborted(terminal(), stopping.signal)) pieces++;
  assert.equal(pieces, 1);
});
