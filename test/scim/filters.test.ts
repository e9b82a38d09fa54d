import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMembers } from '../../src/company/directory/save.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const scim = await connectScim(service);

const words = ['a', 'A', 'ab', 'B', 'ba', '10', '%', '_', '\\', '"', 'é'];
const email = (word: string) => `${/^\w+$/.test(word) ? word : 'x'}@example.com`;

// People of all kinds: with and without each attribute, those whom SCIM knows and those whom it does not.
const people = Array.from({ length: 40 }, (_, nth) => ({
  ...(nth % 3 !== 0 && { userName: `${words[nth % words.length]}${nth}` }),
  ...(nth % 4 !== 0 && { email: `${nth}${email(words[(nth * 3) % words.length] as string)}` }),
  ...(nth % 5 !== 0 && { employeeNumber: `${words[(nth * 7) % words.length]}-${nth}` }),
  ...(nth % 2 !== 0 && { firstName: words[(nth * 5) % words.length] as string }),
  ...(nth % 7 !== 0 && { lastName: words[(nth * 2) % words.length] as string }),
  ...(nth % 6 !== 0 && { department: words[(nth * 11) % words.length] as string }),
  ...(nth % 3 !== 1 && { externalId: words[(nth * 13) % words.length] as string }),
  active: nth % 8 !== 0,
}));

const ids = await service.database.transaction(async (tx) => {
  await lockWorkspace(tx, scim.workspaceId);
  const [first = 0, ...others] = await addMembers(tx, scim.workspaceId, people.slice(0, 20));
  const led = people
    .slice(20)
    .map((person, nth) => ({ ...person, managerId: nth % 2 ? first : (others[nth] ?? first) }));
  return [first, ...others, ...(await addMembers(tx, scim.workspaceId, led))].map(String);
});
const { body: all } = await scim.get('/Users?count=1000');
type User = { [name: string]: string | boolean | undefined };

/** A user's attributes by the names that a filter has for them. */
const users: User[] = all.Resources.map((user: Record<string, never>) => {
  const {
    name,
    emails,
    [enterprise]: work,
  } = user as unknown as {
    name?: Record<string, string>;
    emails?: { value: string }[];
    [enterprise]?: { department?: string; employeeNumber?: string; manager?: { value: string } };
  };
  return {
    ...user,
    'name.givenName': name?.givenName,
    'name.familyName': name?.familyName,
    'name.formatted': name?.formatted,
    'emails.value': emails?.[0]?.value,
    emails: emails?.[0]?.value,
    'emails[type eq "work"].value': emails?.[0]?.value,
    [`${enterprise}:department`]: work?.department,
    [`${enterprise}:employeeNumber`]: work?.employeeNumber,
    [`${enterprise}:manager.value`]: work?.manager?.value,
  };
});

const exact = new Set(['id', 'externalId', `${enterprise}:manager.value`]);
const attributes = [
  ...['userName', 'externalId', 'id', 'displayName', 'name.givenName', 'name.familyName', 'name.formatted'],
  ...['emails', 'emails.value', 'emails[type eq "work"].value'],
  ...['department', 'employeeNumber', 'manager.value'].map((name) => `${enterprise}:${name}`),
];

interface Term {
  text: string;
  holds: (user: User) => boolean;
}

/** What each comparison means, plainly. */
const comparisons: Record<string, (left: string, right: string) => boolean> = {
  eq: (left, right) => left === right,
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right),
  gt: (left, right) => left > right,
  ge: (left, right) => left >= right,
  lt: (left, right) => left < right,
  le: (left, right) => left <= right,
};

const present = users.flatMap((user) => attributes.flatMap((name) => (user[name] as string) ?? []));
const value = fc.oneof(fc.constantFrom(...present), fc.constantFrom(...words), fc.string({ maxLength: 3 }));
const cased = (name: string) => fc.constantFrom(name, name.toUpperCase(), name.toLowerCase());
const attribute = fc.constantFrom(...attributes);

const comparison: fc.Arbitrary<Term> = fc
  .tuple(
    attribute,
    fc.constantFrom('ne', ...Object.keys(comparisons)).chain((op) => cased(op)),
    value,
  )
  .filter(([, , sought]) => !sought.includes('\0'))
  .map(([name, op, sought]) => ({
    text: `${name} ${op} ${JSON.stringify(sought)}`,
    holds: (user) => {
      const fold = (text: string) => (exact.has(name) ? text : text.toLowerCase());
      const left = user[name] as string | undefined;
      // A bracketed filter must match before `ne` can be true.
      if (op.toLowerCase() === 'ne') return left === undefined ? !name.includes('[') : fold(left) !== fold(sought);
      return left !== undefined && comparisons[op.toLowerCase()]?.(fold(left), fold(sought)) === true;
    },
  }));
const presence: fc.Arbitrary<Term> = attribute
  .filter((name) => !name.includes('['))
  .map((name) => ({ text: `${name} pr`, holds: (user) => user[name] !== undefined }));
const activity: fc.Arbitrary<Term> = fc
  .tuple(fc.constantFrom('eq', 'ne'), fc.boolean(), fc.constantFrom('True', '"True"', 'true', '"true"'))
  .map(([op, wanted, form]) => ({
    text: `active ${op} ${wanted ? form : form.replace(/true/i, (word) => (word === 'True' ? 'False' : 'false'))}`,
    holds: (user) => (user.active === wanted) === (op === 'eq'),
  }));

const { filter } = fc.letrec<{ filter: Term }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    comparison,
    presence,
    activity,
    tie('filter').map(({ text, holds }) => ({ text: `not (${text})`, holds: (user: User) => !holds(user) })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
      .map(([op, terms]) => ({
        text: `(${terms.map(({ text }) => text).join(` ${op} `)})`,
        holds: (user: User) => terms[op === 'and' ? 'every' : 'some'](({ holds }) => holds(user)),
      })),
  ),
}));

test('every person is listed as a user', () => {
  assert.deepEqual(
    users.map(({ id }) => id),
    ids,
  );
});

test('a filter finds exactly the users it describes', async () => {
  await fc.assert(
    fc.asyncProperty(filter, async ({ text, holds }) => {
      const found = await scim.find('Users', text);
      assert.deepEqual(
        found.map(({ id }) => id),
        users.filter(holds).map(({ id }) => id),
        text,
      );
    }),
    { numRuns: runs(250) },
  );
});

test('and binds closer than or, and not closer than both', async () => {
  const [one, two, three] = ids;
  for (const [text, expected] of [
    [`id eq "${one}" or id eq "${two}" and id eq "${three}"`, [one]],
    [`id eq "${two}" and id eq "${three}" or id eq "${one}"`, [one]],
    [`(id eq "${one}" or id eq "${two}") and not (id eq "${two}")`, [one]],
    [`not (id ne "${one}") or id eq "${three}"`, [one, three]],
  ] as const)
    assert.deepEqual(
      (await scim.find('Users', text)).map(({ id }) => id),
      expected,
      text,
    );
});

test('times are compared as instants, in any time zone', async () => {
  const moment = all.Resources[0].meta.created as string;
  const elsewhere = moment.replace(/T(\d\d)(.*)Z$/, (_all, hour: string, rest: string) =>
    Number(hour) < 20 ? `T${String(Number(hour) + 2).padStart(2, '0')}${rest}+02:00` : `T${hour}${rest}Z`,
  );
  for (const text of [`meta.created eq "${elsewhere}"`, `meta.created ge "${moment}"`, 'meta.lastModified pr'])
    assert.equal((await scim.find('Users', text)).length, users.length, text);
  assert.deepEqual(await scim.find('Users', `meta.created gt "${moment}" or meta.lastModified lt "2020-01-01"`), []);
});
