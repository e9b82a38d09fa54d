import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files } from '../support/source-files.ts';

test('advisory locks of different subjects have different numbers, so that none waits for another', () => {
  const numbers = files.flatMap(({ text }) =>
    [...text.matchAll(/^const \w+ = (0x[\da-f]{2}(?:_00){5});/gm)].map(([, number]) => number),
  );
  assert.ok(numbers.length >= 5);
  assert.equal(new Set(numbers).size, numbers.length, numbers.join());
});
