import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths, readTypedDay, readTypedTime, weeksOf } from '../../console/src/words/typed-day.ts';

const locales = ['en-GB', 'fr', 'es'];

test('a day is read as people write it in each language, and as the field itself shows it', () => {
  for (const locale of locales) {
    for (const text of ['2026-02-03', '3/2/2026', '03.02.2026', ' 3-2-2026 '])
      assert.equal(readTypedDay(text, locale), '2026-02-03', `${text} ${locale}`);
    for (const month of ['short', 'long'] as const)
      for (let at = 0; at < 12; at++) {
        const text = new Date(2026, at, 18).toLocaleDateString(locale, { day: 'numeric', month, year: 'numeric' });
        assert.equal(readTypedDay(text, locale), `2026-${String(at + 1).padStart(2, '0')}-18`, `${text} ${locale}`);
      }
  }
  assert.equal(readTypedDay('11/18/2026', 'en-GB'), '2026-11-18');
});

test('what is no day is not read as one', () => {
  for (const text of [
    '31/2/2026',
    '2026-13-01',
    '202612-01-01',
    '18/11/26',
    '18 Nov',
    'Nov 2026',
    'tomorrow',
    '18 xyz 2026',
  ])
    for (const locale of locales) assert.equal(readTypedDay(text, locale), null, text);
});

test('a time is read with the signs that people use', () => {
  assert.deepEqual(['9', '9:30', '09.30', '9h30', '9 h', '23:59'].map(readTypedTime), [
    '09:00',
    '09:30',
    '09:30',
    '09:30',
    '09:00',
    '23:59',
  ]);
  assert.deepEqual(['', '24:00', '9:60', '9:3', 'nine'].map(readTypedTime), [null, null, null, null, null]);
});

test('a calendar has whole weeks from Monday on, and months of any length', () => {
  const weeks = weeksOf('2026-02-15');
  assert.deepEqual([weeks[0]?.[0], weeks.at(-1)?.at(-1)], ['2026-01-26', '2026-03-01']);
  assert.equal(addMonths('2026-01-31', 1), '2026-02-28');
  assert.equal(addMonths('2026-01-31', -1), '2025-12-31');
});
