import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenManager } from '../../src/company/import/open-rows.ts';
import { FilePeople } from '../../src/company/import/people.ts';
import { WaitingRows } from '../../src/company/import/waiting-rows.ts';
import { Written } from '../../src/company/import/written.ts';

const count = 150_000;
const emailOf = (nth: number) => `person${nth}@example.com`;
const numberOf = (nth: number) => `E${String(nth).padStart(8, '0')}`;

function aPerson(nth: number, id = 0) {
  return {
    line: nth + 2,
    id,
    outcome: id === 0 ? ('added' as const) : ('unchanged' as const),
    said: `row ${nth}`,
    email: nth % 10 === 0 ? undefined : emailOf(nth),
    number: nth % 7 === 0 ? undefined : numberOf(nth),
    change: null,
  };
}

test('each of many people is found by address, number and id, and nobody else is', () => {
  const people = new FilePeople();
  // Ids of two ranges, of which one begins beyond 32 bits, and negative ones as in a dry run.
  const idOf = (nth: number) => [nth + 1, 2 ** 33 + nth, -(nth + 2)][nth % 3] as number;
  for (let nth = 0; nth < count; nth++) people.add(aPerson(nth)).id = idOf(nth);
  for (let nth = 0; nth < count; nth++) {
    assert.equal(people.byEmail(emailOf(nth))?.line, nth % 10 === 0 ? undefined : nth + 2);
    assert.equal(people.byNumber(numberOf(nth))?.line, nth % 7 === 0 ? undefined : nth + 2);
    assert.equal(people.byId(idOf(nth))?.nth, nth);
    assert.equal(people.at(nth).saidSame(`row ${nth}`), true);
    assert.equal(people.at(nth).saidSame(`row ${nth + 1}`), false);
    // An address is no number.
    assert.equal(people.byNumber(emailOf(nth)), undefined);
  }
  assert.equal(people.byEmail('nobody@example.com'), undefined);
  assert.equal(people.byId(2 ** 40), undefined);
});

test('people whose keys are forgotten are found by id alone, and later people by all of theirs', () => {
  const people = new FilePeople();
  for (let nth = 0; nth < 3_000; nth++) {
    if (nth === 1_000 || nth === 2_000) people.forgetKeys();
    people.add(aPerson(nth)).id = nth + 1;
  }
  for (let nth = 0; nth < 3_000; nth++) {
    assert.equal(people.byId(nth + 1)?.line, nth + 2);
    assert.equal(people.byEmail(emailOf(nth))?.nth, nth < 2_000 || nth % 10 === 0 ? undefined : nth);
    assert.equal(people.byNumber(numberOf(nth))?.nth, nth < 2_000 || nth % 7 === 0 ? undefined : nth);
  }
});

test('a person of a merged record has the id of the surviving one, which leads to the row that was about it', () => {
  const people = new FilePeople();
  const [first, second, third] = [5, 7, 9].map((id, nth) => people.add(aPerson(nth, id)));
  assert.ok(first && second && third);
  first.id = 7;
  assert.deepEqual([first.id, people.byId(7)?.nth, people.byId(5)?.nth], [7, second.nth, first.nth]);
  third.id = 11;
  assert.deepEqual([people.at(third.nth).id, people.byId(11)?.nth], [11, third.nth]);
  assert.equal(people.byRecord(11), undefined);
});

test('what was written is known of people of the file and of others, and the first time counts', () => {
  const people = new FilePeople();
  const [known, added] = [people.add(aPerson(0, 5)), people.add(aPerson(1))];
  added.id = 6;
  const written = new Written(people);
  assert.equal(written.count, 0);
  for (const id of [5, 6, 7, 8]) assert.equal(written.how(id), null);
  written.keep(5, false);
  written.keep(6, true);
  written.keep(6, false);
  written.keep(7, false);
  written.keep(8, true);
  written.keep(8, false);
  assert.deepEqual(
    [5, 6, 7, 8, 9].map((id) => written.how(id)),
    ['changed', 'added', 'changed', 'added', null],
  );
  assert.deepEqual([known.isWritten, added.isWritten, written.count], [true, true, 4]);
});

test('open managers come back in batches, in order, with their rows as they were', () => {
  const people = new FilePeople();
  const open = new WaitingRows<OpenManager>(100, (row) => people.restore(row));
  const all = Array.from({ length: 1_050 }, (_, nth) => ({
    person: people.add(aPerson(nth)),
    manager: `Zoë "the" 李 (${nth})`,
    currentManagerId: nth % 2 === 0 ? null : nth,
    cells: [`a${nth}`, '', 'line\nline', '"', '🎁'],
  }));
  for (let from = 0; from < all.length; from += 70) open.add(all.slice(from, from + 70));
  const taken = [];
  while (open.length > 0) {
    const left = open.length;
    const batch = open.first();
    assert.ok(batch.length <= 100);
    // Taking a batch that was not dropped gives the same one.
    assert.deepEqual(
      open.first().map(({ manager }) => manager),
      batch.map(({ manager }) => manager),
    );
    taken.push(...batch);
    open.dropFirst();
    assert.equal(open.length, left - batch.length);
  }
  const plain = (one: (typeof all)[number]) => ({ ...one, person: one.person.line });
  assert.deepEqual(
    taken.map((one) => plain(one as (typeof all)[number])),
    all.map(plain),
  );
});
