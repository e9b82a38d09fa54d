import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as directory from '../../src/company/directory/who.ts';
import { addressKey, isEmail } from '../../src/ground/values/email.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();

const surrogates = { first: 0xd800, last: 0xdfff };
const letters = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
  (code) => code > 0 && (code < surrogates.first || code > surrogates.last),
);

test('an e-mail address has ASCII letters alone', () => {
  const beyond = letters.filter((code) => code > 0x7f).map((code) => String.fromCodePoint(code));
  const found = beyond.filter((one) => isEmail(`a${one}a@example.com`) || isEmail(`ada@ex${one}mple.com`));
  assert.deepEqual(found, []);
});

test('JavaScript compares addresses as the database does, letter by letter', async () => {
  // The two may know different versions of Unicode: only letters that both know can be compared.
  const rows = await database.query<{ code: number; key: string }>(
    `select code, ${directory.addressKey('chr(code)')} as key from unnest($1::int[]) as code where unicode_assigned(chr(code))`,
    [letters.filter((code) => /\P{Cn}/u.test(String.fromCodePoint(code)))],
  );
  assert.ok(rows.length > 100_000, `only ${rows.length} letters were compared`);
  assert.deepEqual(
    rows.filter(({ code, key }) => addressKey(String.fromCodePoint(code)) !== key),
    [],
  );
});

test('JavaScript compares addresses as the database does, whatever stands around a letter', async () => {
  const texts = [
    'ΑΣ@example.com',
    'ΣΑΣ ΣΑΣ',
    'İPEK@EXAMPLE.COM',
    'STRAẞE',
    'I\u0307da',
    'K\u212Aelvin',
    'Ǆ ǅ ǆ',
    '𐐀@x',
    '',
  ];
  const rows = await database.query<{ key: string }>(
    `select ${directory.addressKey('text')} as key from unnest($1::text[]) with ordinality as asked (text, nth) order by nth`,
    [texts],
  );
  assert.deepEqual(
    texts.map(addressKey),
    rows.map(({ key }) => key),
  );
});

test('columns and indexes hold the key that statements compare', async () => {
  const [column] = await database.query<{ expression: string }>(
    `select generation_expression as expression
       from information_schema.columns
      where table_name = 'members' and column_name = 'email_key'`,
  );
  assert.equal(column?.expression, directory.addressKey('email'));
  const indexes = await database.query<{ definition: string }>(
    `select indexdef as definition
       from pg_indexes
      where indexname in ('members_user_name', 'members_manager_reference') order by indexname desc`,
  );
  const [userName, managerReference] = indexes.map(({ definition }) => definition);
  assert.ok(userName?.includes(`, ${directory.addressKey('user_name')})`), userName);
  assert.ok(managerReference?.includes(`, ${directory.addressKey('manager_reference')})`), managerReference);
});
