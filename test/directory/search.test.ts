import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member } from '../../src/ground/contract/member.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

const ids = ({ members }: { members: Member[] }) => members.map(({ id }) => id);
const queryOf = (query: Record<string, string | number>) =>
  `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]))}`;

test('a search finds parts of words in any case and order, and has no wildcard characters', async () => {
  const people = [
    { firstName: 'Ada', lastName: 'Lovelace', email: 'Countess@Example.com', employeeNumber: 'E-100%' },
    { firstName: 'Émile', lastName: 'Zola', email: 'emile_zola@example.com' },
    { firstName: 'Back\\slash', lastName: "O'Neil", employeeNumber: '100_7' },
    { firstName: 'Ida', lastName: 'Love' },
    { firstName: '李', lastName: '小龍 🎁' },
  ];
  const workspace = await openWorkspace(service, { people });
  const found = async (search: string) =>
    ids(await workspace.members(queryOf({ search }))).map((id) => workspace.memberIds.indexOf(id));
  const cases: [string, number[]][] = [
    ['ada', [0]],
    ['DA', [0, 3]],
    ['love', [0, 3]],
    ['lace ad', [0]],
    ['  LOVE \t ida ', [3]],
    ['countess@example', [0]],
    ['EXAMPLE.COM', [0, 1]],
    ['e-100', [0]],
    ['100', [0, 2]],
    ['100%', [0]],
    ['%', [0]],
    ['_', [1, 2]],
    ['100_', [2]],
    ['\\', [2]],
    ['\\\\', []],
    ['k\\s', [2]],
    ['e%100', []],
    ["o'neil", [2]],
    ['ÉMILE', [1]],
    ['émile zola', [1]],
    ['é', [1]],
    ['李', [4]],
    ['🎁', [4]],
    ['adalovelace', []],
    ['ada zola', []],
    ['nobody', []],
    ['', [0, 1, 2, 3, 4]],
    ['   ', [0, 1, 2, 3, 4]],
    ['a '.repeat(100), [0, 1, 2, 3]],
  ];
  for (const [search, expected] of cases) assert.deepEqual(await found(search), expected, JSON.stringify(search));
  assert.equal((await workspace.members(queryOf({ search: 'x'.repeat(200) }))).totalElements, 0);
});

test('a name is found in any script', async () => {
  const names = ['İpek', 'ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς', 'STRASSE', 'Straße', 'ǅungla', 'ÅNGSTRÖM', 'Иван', 'ﬁn', 'ẞ', 'IŞIK'];
  const workspace = await openWorkspace(service, { people: names.map((firstName) => ({ firstName })) });
  for (const [nth, name] of names.entries()) {
    const found = ids(await workspace.members(queryOf({ search: name })));
    assert.ok(found.includes(workspace.memberIds[nth] as number), name);
  }
});

test('a search for any part of any name finds exactly the people who have it', async () => {
  const piece = fc.constantFrom('a', 'B', '%', '_', '\\', "'", '"', 'é', 'É', '-', '.', '🎁', '(', '*', '$1');
  const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ firstName: word, lastName: word, employeeNumber: word }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 3 }),
      async (drawn, searches) => {
        const people = drawn.map((person, nth) => ({ ...person, employeeNumber: `${person.employeeNumber}#${nth}` }));
        const workspace = await openWorkspace(service, { people });
        for (const words of [...searches, [people[0]?.firstName as string]]) {
          const expected = workspace.memberIds.filter((_, nth) => {
            const { firstName, lastName, employeeNumber } = people[nth] as (typeof people)[number];
            const text = [firstName, lastName, '', employeeNumber].join(' ').toLowerCase();
            return words.every((one) => text.includes(one.toLowerCase()));
          });
          assert.deepEqual(
            ids(await workspace.members(queryOf({ search: words.join(' ') }))),
            expected,
            words.join(' '),
          );
        }
      },
    ),
    { numRuns: runs(25) },
  );
});

test('a search finds the new name, address or number after a change, and not the old one', async () => {
  const workspace = await openWorkspace(service, {
    people: [{ firstName: 'Old', email: 'old@example.com', employeeNumber: 'old-1' }],
  });
  const [id] = workspace.memberIds as [number];
  await workspace.change(id, { firstName: 'New', email: 'new@example.com', employeeNumber: 'new-1' });
  assert.deepEqual(ids(await workspace.members('?search=new+new@example+new-1')), [id]);
  assert.deepEqual(ids(await workspace.members('?search=old')), []);
  assert.deepEqual(ids(await workspace.members('?employeeNumber=NEW-1')), [id]);
});
