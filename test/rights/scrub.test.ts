import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrubber } from '../../src/insight/rights/scrub.ts';
import fc from '../support/fast-check.ts';

// Few letters, so that texts and names often meet; with those that change their length or shape in another case.
const letters = fc.constantFrom(
  'a',
  'A',
  'b',
  's',
  'S',
  'ß',
  'ẞ',
  'ſ',
  'σ',
  'ς',
  'Σ',
  'İ',
  'i',
  'K',
  'k',
  'é',
  '1',
  '李',
  '龍',
);
const marks = fc.constantFrom(' ', ' ', '.', '@', '-', "'", '+', '(', '🎉', '\u0301');
const words = fc.array(fc.oneof({ weight: 3, arbitrary: letters }, marks), { minLength: 1, maxLength: 12 });
const text = words.map((all) => all.join(''));

/** The definition: one pattern of all names, with accents as parts of letters and behind them, longest first. */
function replaceAll(names: readonly string[], value: string): string {
  const all = names
    .flatMap((name) => [name.normalize('NFC'), name.normalize('NFD')])
    .toSorted((one, other) => other.length - one.length)
    .map((name) => RegExp.escape(name));
  const ofWord = '[[\\p{L}\\p{N}]--\\p{sc=Han}]';
  return value.replaceAll(new RegExp(`(?<!${ofWord})(?:${all.join('|')})(?!${ofWord})`, 'giv'), '…');
}

test('comparing a text only with names that begin with one of its words finds what comparing it with all names finds', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.array(text, { maxLength: 6 }), (names, parts) => {
      // Names stand in the text, as they are and in another case.
      const value = [...parts, names[0]?.toUpperCase(), ...parts.toReversed(), names.at(-1)?.toLowerCase()].join(' ');
      assert.equal(scrubber({ texts: names, values: [] })(value), replaceAll(names, value));
    }),
    { numRuns: 500 },
  );
});

test('a value without a name is returned as it is, and only what has one is another', () => {
  const scrub = scrubber({ texts: ['Ada Lovelace'], values: ['4711'] });
  const order = { gifts: [{ message: 'For Grace', amount: 12 }], note: null };
  assert.equal(scrub(order), order);
  assert.deepEqual(scrub({ ...order, note: 'ask ADA LOVELACE!', numbers: ['4711', '47110'] }), {
    ...order,
    note: 'ask …!',
    numbers: ['…', '47110'],
  });
});

test('a name is found between letters of languages that write no spaces', () => {
  const scrub = scrubber({ texts: ['李小龍', '小龍 李', 'Ada Lovelace'], values: [] });
  assert.equal(scrub('感謝李小龍的幫助，小龍 李和Ada Lovelace一起'), '感謝…的幫助，…和…一起');
  assert.equal(scrub('Ada Lovelaces, 小龍李'), 'Ada Lovelaces, 小龍李');
});
