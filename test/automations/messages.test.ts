import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AudienceMember, matches } from '../../src/company/directory/audience.ts';
import { placeholderValuesOf } from '../../src/giving/automations/people.ts';
import { languageOf, placeholdersOf, renderMessage } from '../../src/giving/automations/placeholders.ts';
import type { CustomField } from '../../src/ground/values/custom-field.ts';

const custom = { floor: 3, firstName: 'a field', until: '2027-01-05', distance: 1234.5, removed: 'x' };
const person = { firstName: 'Priya', lastName: 'Nair', team: null, custom };
const customFields: CustomField[] = [
  { key: 'floor', label: 'Floor', kind: 'NUMBER', choices: [] },
  { key: 'distance', label: 'Distance', kind: 'NUMBER', choices: [] },
  { key: 'until', label: 'On probation until', kind: 'DATE', choices: [] },
  { key: 'firstName', label: 'First', kind: 'TEXT', choices: [] },
];

test('a message names the person, writes years in its language, and has a text in place of a missing value', () => {
  const read = (text: string, language: string, years: number | null, missing = {}) =>
    renderMessage(text, placeholderValuesOf(person, { years, language, company: 'Northwind', customFields }), missing);
  assert.equal(read('{firstName} {lastName}, {years} at {company}', 'EN', 1), 'Priya Nair, 1 year at Northwind');
  assert.equal(read('{years} sur {floor}', 'FR', 10), '10 ans sur 3');
  assert.equal(read('{until}, {distance}, {removed}', 'EN', null), 'January 5, 2027, 1,234.5, ');
  assert.equal(read('{until}, {distance}', 'FR', null), '5 janvier 2027, 1\u202f234,5');
  assert.equal(read('{years}', 'ES', 10), '10 años');
  assert.equal(read('Hello {team}{years}!', 'EN', null, { team: 'us' }), 'Hello us!');
  assert.equal(read('{constructor} {first name}', 'EN', null), ' ');
  assert.deepEqual(placeholdersOf('{firstName}, {years} and {firstName} {first name} {} {'), [
    'firstName',
    'years',
    'first name',
  ]);
});

test('a value that looks like a placeholder is taken as it is', () => {
  assert.equal(renderMessage('{team}', { team: '{company} $& $1', company: 'x' }, {}), '{company} $& $1');
});

test("a person reads their own language, else the workspace's, else the first there is", () => {
  const messages = { FR: 'Bonne fête', EN: 'Happy birthday' };
  assert.equal(languageOf(messages, 'EN_GB', 'FR_CA'), 'EN');
  assert.equal(languageOf(messages, 'ES_MX', 'EN_CA'), 'EN');
  assert.equal(languageOf(messages, null, 'ES_MX'), 'FR');
  assert.equal(languageOf({}, 'EN_GB', 'FR_CA'), null);
});

test('an audience takes people to whom one part applies as a whole, except those to whom another applies', () => {
  const ada: AudienceMember = {
    ...{ recordIds: [9, 7], department: 'Support', costCentre: null, location: 'Halifax', country: 'CA' },
    ...{ teamIds: [3], custom: { contract: 'Permanent', floor: 3 } },
  };
  const isFor = (include: object[], exclude: object[] = []) => matches({ include, exclude }, ada);
  assert.ok(isFor([]));
  assert.ok(isFor([{ department: 'support', location: 'HALIFAX' }]));
  assert.ok(!isFor([{ department: 'support', location: 'Paris' }]));
  assert.ok(isFor([{ location: 'Paris' }, { teamId: 3 }]));
  assert.ok(!isFor([{ costCentre: 'null' }]));
  assert.ok(isFor([{ custom: { contract: 'permanent', floor: '3' } }]));
  assert.ok(!isFor([{ custom: { contract: 'permanent', constructor: '' } }]));
  assert.ok(!isFor([], [{ country: 'ca' }]));
  // A record that was merged into the person still names them.
  assert.ok(!isFor([], [{ memberId: 7 }]));
});
