import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedForm } from '../../src/company/directory/member-fields.ts';
import { parseDateFormat, readDate, readMonthDay } from '../../src/ground/sheets/dates.ts';
import { countries, readCountry } from '../../src/ground/values/country.ts';
import { languageRegions, readLanguageRegion } from '../../src/ground/values/language.ts';
import { isTimeZone, readTimeZone } from '../../src/ground/values/time-zone.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const two = (value: number) => String(value).padStart(2, '0');
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
months.push('November', 'December');
const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const monthDay = fc
  .integer({ min: 1, max: 12 })
  .chain((month) => fc.tuple(fc.constant(month), fc.integer({ min: 1, max: lengths[month - 1] as number })));
const year = fc.integer({ min: 1900, max: 2026 });

/** The forms in which HR systems and spreadsheets write one day, with and without the year. */
const forms: ((month: number, day: number, year: number) => string)[] = [
  (month, day, of) => `${of}-${two(month)}-${two(day)}`,
  (month, day, of) => `${of}-${two(month)}-${two(day)}T00:00:00.000Z`,
  (month, day, of) => `${of}/${two(month)}/${two(day)}`,
  (month, day, of) => `${of}${two(month)}${two(day)}`,
  (month, day) => `${two(month)}-${two(day)}`,
  (month, day) => `--${two(month)}-${two(day)}`,
  (month, day) => `--${two(month)}${two(day)}`,
  (month, day, of) => `${two(day)}.${two(month)}.${of}`,
  (month, day) => `${day}.${month}.`,
  (month, day) => `${day} ${months[month - 1]}`,
  (month, day, of) => `${day} ${months[month - 1]} ${of}`,
  (month, day, of) => `${two(day)}-${months[month - 1]?.slice(0, 3)}-${of}`,
  (month, day, of) => `${two(day)}-${months[month - 1]?.slice(0, 3)}-${two(of % 100)}`,
  (month, day, of) => `${months[month - 1]} ${day}, ${of}`,
  (month, day) => `${months[month - 1]?.slice(0, 3)} ${day}`,
];

test('a birthday is read from each of its forms, and never has a year', () => {
  fc.assert(
    fc.property(monthDay, year, fc.constantFrom(...forms), ([month, day], of, write) => {
      const text = write(month, day, of);
      assert.deepEqual(readMonthDay(text), { day: `${two(month)}-${two(day)}` }, text);
    }),
    { numRuns: runs(2_000) },
  );
});

test('a birthday of digits that can be two days is ambiguous, unless a format says which it is', () => {
  const formats = [
    ['DD/MM/YYYY', (month: number, day: number, of: number) => `${two(day)}/${two(month)}/${of}`],
    ['MM/DD/YYYY', (month: number, day: number, of: number) => `${two(month)}/${two(day)}/${of}`],
    ['M/D/YY', (month: number, day: number, of: number) => `${month}/${day}/${two(of % 100)}`],
    ['DD/MM/YYYY', (month: number, day: number) => `${day}/${month}`],
  ] as const;
  fc.assert(
    fc.property(monthDay, year, fc.constantFrom(...formats), ([month, day], of, [format, write]) => {
      const text = write(month, day, of);
      const expected = { day: `${two(month)}-${two(day)}` };
      assert.deepEqual(readMonthDay(text, parseDateFormat(format)), expected, `${text} as ${format}`);
      const isClear = day > 12 || day === month;
      assert.deepEqual(readMonthDay(text), isClear ? expected : { problem: 'ambiguous' }, text);
    }),
    { numRuns: runs(1_000) },
  );
});

test('no text at all lets a birthday keep more than a month and a day', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789-/. TMayde') }));
  fc.assert(
    fc.property(text, (any) => {
      const read = readMonthDay(any);
      if (read && 'day' in read) assert.match(read.day, /^(0[1-9]|1[0-2])-([0-2]\d|3[01])$/);
    }),
    { numRuns: runs(5_000) },
  );
});

test('birthdays in French, Spanish and German are understood, and what is no day is not', () => {
  for (const [text, expected] of [
    ['17 mai', '05-17'],
    ['1er août 1988', '08-01'],
    ['3 févr. 1990', '02-03'],
    ['17 de mayo de 1990', '05-17'],
    ['9 de enero', '01-09'],
    ['17. Mai 1990', '05-17'],
    ['5. März', '03-05'],
    ['12 juin', '06-12'],
    ['12 juillet', '07-12'],
    ['1900-02-29', '02-29'],
    ['29 Feb', '02-29'],
    ['31 April', undefined],
    ['02-30', undefined],
    ['17 Foo', undefined],
    ['1990', undefined],
    ['32/13/1990', undefined],
  ] as const) {
    const read = readMonthDay(text);
    assert.equal(read && 'day' in read ? read.day : undefined, expected, text);
  }
});

test('a date is the same after it was written and read again', () => {
  const date = fc.date({ min: new Date('1950-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (at) => {
      const day = at.toISOString().slice(0, 10);
      assert.deepEqual(readDate(day), { day });
      assert.equal(storedForm({ hireDate: `${day}T00:00:00Z` }).hireDate, day);
      const stored = storedForm({ hireDate: day, birthday: day });
      assert.deepEqual(stored, { hireDate: day, birthday: day.slice(5) });
      assert.deepEqual(storedForm(stored), stored);
    }),
    { numRuns: runs(500) },
  );
});

test('time zones, countries and languages are stored in one form, whatever their case', () => {
  const anyCase = (text: string) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((ups) => [...text].map((letter, nth) => (ups[nth] ? letter.toUpperCase() : letter.toLowerCase())).join(''));
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const pair = (one: string) => fc.tuple(fc.constant(one), anyCase(one));
  fc.assert(
    fc.property(zone.chain(pair), ([known, written]) =>
      assert.equal(readTimeZone(written.replaceAll('_', ' ')), known),
    ),
  );
  fc.assert(fc.property(fc.string(), (text) => assert.ok(isTimeZone(readTimeZone(text) ?? 'UTC'), text)));
  fc.assert(
    fc.property(fc.constantFrom(...countries).chain(pair), ([known, written]) =>
      assert.equal(readCountry(written), known),
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...languageRegions).chain(pair), ([known, written]) => {
      for (const text of [written, written.replace('_', '-')]) assert.equal(readLanguageRegion(text), known);
    }),
  );
  for (const [text, code] of [
    ['Canada', 'CA'],
    ['united states of america', 'US'],
    ['USA', 'US'],
    ['UK', 'GB'],
    ['Deutschland', 'DE'],
    ['États-Unis', 'US'],
    ['México', 'MX'],
    ['Atlantis', undefined],
    ['EU', undefined],
  ] as const)
    assert.equal(readCountry(text), code, text);
  for (const [text, code] of [
    ['fr', 'FR_FR'],
    ['French', 'FR_FR'],
    ['Français (Canada)', 'FR_CA'],
    ['fr-CA,en;q=0.8', 'FR_CA'],
    ['de', 'DE_DE'],
    ['zh-Hant-TW', 'ZH_TW'],
    ['Klingon', undefined],
  ] as const)
    assert.equal(readLanguageRegion(text), code, text);
  for (const text of ['+05:00', 'Mars/Olympus', 'Eastern']) assert.equal(readTimeZone(text), undefined, text);
});
