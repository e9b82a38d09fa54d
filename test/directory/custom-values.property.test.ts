import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CustomField, customKinds, customText } from '../../src/ground/values/custom-field.ts';
import { readCustomText, readCustomValue } from '../../src/ground/values/custom-value.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const choices = ['S', 'M', 'Très grand', 'İstanbul', '10'];
const fields: CustomField[] = customKinds.map((kind) => ({
  ...{ key: kind.toLowerCase(), label: kind, kind },
  choices: kind === 'CHOICE' ? choices : [],
}));
const anyField = fc.constantFrom(...fields);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 250 }),
  fc.string({ unit: 'grapheme', maxLength: 250 }),
  fc.constantFrom(...choices, ...choices.map((choice) => choice.toLowerCase())),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.double().map(String),
  fc.integer().map(String),
);
const anyValue = fc.oneof(anyText, fc.double(), fc.integer(), fc.anything());

test('what is accepted is of the type of its field, is stored unchanged when it is sent again, and survives JSON', () => {
  fc.assert(
    fc.property(anyField, anyValue, (field, sent) => {
      const read = readCustomValue(field, sent);
      if ('problem' in read) {
        assert.match(read.problem, /^must /);
        return;
      }
      if (read.value === null) return;
      assert.equal(typeof read.value, field.kind === 'NUMBER' ? 'number' : 'string');
      if (field.kind === 'CHOICE') assert.ok(choices.includes(read.value as string));
      if (field.kind === 'DATE') assert.match(read.value as string, /^\d{4}-\d\d-\d\d$/);
      if (field.kind === 'TEXT') assert.ok([...(read.value as string)].length <= 200);
      assert.deepEqual(readCustomValue(field, JSON.parse(JSON.stringify(read.value))), read);
      assert.deepEqual(readCustomText(field, String(read.value)), read);
      assert.ok(customText(fields, { [field.key]: read.value }, field.key, 'fr-CA'));
    }),
    { numRuns: runs(3_000) },
  );
});

test('a number is stored with exactly the digits that were written, or rejected', () => {
  const digits = fc.tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: 0, max: 8 }));
  const [, number] = fields as [CustomField, CustomField];
  fc.assert(
    fc.property(digits, ([whole, decimals]) => {
      const text = String(whole < 0n ? -whole : whole).padStart(decimals + 1, '0');
      const sign = whole < 0n ? '-' : '';
      const written = decimals === 0 ? sign + text : `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
      const read = readCustomText(number, written);
      const isExact = decimals <= 6 && text.replace(/^0+/, '').length <= 15;
      assert.equal('value' in read, isExact, written);
      if (!('value' in read)) return;
      // Compared as digits, without the zeros that say nothing.
      const plain = written.includes('.') ? written.replace(/\.?0+$/, '') : written;
      assert.equal(String(read.value), /^-?0$/.test(plain) ? '0' : plain);
    }),
    { numRuns: runs(3_000) },
  );
});

test('a placeholder is the text that people read, in their language', () => {
  const values = { text: 'Chess', number: 1234.5, date: '2027-02-28', choice: 'M' };
  const texts = (locale: string) => fields.map(({ key }) => customText(fields, values, key, locale));
  assert.deepEqual(texts('en-US'), ['Chess', '1,234.5', 'February 28, 2027', 'M']);
  assert.deepEqual(texts('fr-FR'), ['Chess', '1\u202f234,5', '28 février 2027', 'M']);
  assert.equal(customText(fields, {}, 'text', 'en-US'), null);
  assert.equal(customText([], values, 'text', 'en-US'), null);
  assert.equal(customText(fields, values, 'constructor', 'en-US'), null);
});
