import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { decryptPieces, encryptPieces } from '../../src/ground/backup/encryption.ts';
import { decodeFrames, encodeFrame, type Frame } from '../../src/ground/backup/format.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const key = randomBytes(32);
const pieceBytes = 64 * 1024 + 16;
const damaged = { name: 'Failure', message: 'The backup is damaged or not complete: use another one.' };

/** Sizes around the ends of pieces, and how the bytes arrive. */
const sizes = fc.oneof(
  fc.nat(300),
  fc.constantFrom(1, 2, 3).chain((pieces) => fc.integer({ min: -2, max: 2 }).map((more) => pieces * 65_536 + more)),
);
const steps = fc.integer({ min: 500, max: 200_000 });

function arriving(bytes: Buffer, step: number): AsyncIterable<Buffer> {
  const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, nth) =>
    bytes.subarray(nth * step, (nth + 1) * step),
  );
  return Readable.from(parts);
}

const sealed = (bytes: Buffer, step = 65_536) => buffer(encryptPieces(arriving(bytes, step), key));
const opened = (bytes: Buffer, step = 65_536, by = key) => buffer(decryptPieces(arriving(bytes, step), by));

test('what was sealed is read again as it was, however the bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, steps, steps, async (size, one, other) => {
      const bytes = randomBytes(size);
      const file = await sealed(bytes, one);
      assert.ok(bytes.equals(await opened(file, other)));
      await assert.rejects(opened(file, other, randomBytes(32)), damaged);
    }),
    { numRuns: runs(150) },
  );
});

test('one changed bit anywhere, a lost or a further end, and pieces that are moved or left out are detected', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), fc.nat(7), async (size, place, bit) => {
      const file = await sealed(randomBytes(size));
      const at = place % file.length;
      const changed = Buffer.from(file);
      changed[at] = (changed[at] as number) ^ (1 << bit);
      await assert.rejects(opened(changed), damaged);
      await assert.rejects(opened(file.subarray(0, at)), damaged);
      await assert.rejects(opened(Buffer.concat([file, randomBytes(1 + (place % 20))])), damaged);
      const [first, second] = [file.subarray(0, pieceBytes), file.subarray(pieceBytes, 2 * pieceBytes)];
      const others = file.subarray(2 * pieceBytes);
      if (second.length === 0) return;
      await assert.rejects(opened(first), damaged);
      await assert.rejects(opened(Buffer.concat([second, first, others])), damaged);
      await assert.rejects(opened(Buffer.concat([first, others])), damaged);
      await assert.rejects(opened(Buffer.concat([first, first, second, others])), damaged);
    }),
    { numRuns: runs(150) },
  );
});

test('records are read again as they were, and a record that is cut off is detected', async () => {
  const rows = fc.uint8Array({ maxLength: 500 }).map((body): Frame => ({ kind: 'rows', body: Buffer.from(body) }));
  const table = fc
    .tuple(fc.string(), fc.array(fc.string()))
    .map(([name, columns]): Frame => ({ kind: 'table', body: { name, columns } }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(rows, table)),
      fc.integer({ min: 1, max: 700 }),
      fc.nat(),
      async (frames, step, place) => {
        const bytes = Buffer.concat(frames.map(encodeFrame));
        assert.deepEqual(await Array.fromAsync(decodeFrames(arriving(bytes, step))), frames);
        const last = bytes.length - encodeFrame(frames.at(-1) ?? { kind: 'rows', body: Buffer.alloc(0) }).length;
        const cut = bytes.subarray(0, last + 1 + (place % 4));
        if (frames.length > 0) await assert.rejects(Array.fromAsync(decodeFrames(arriving(cut, step))), damaged);
      },
    ),
    { numRuns: runs(150) },
  );
});
