import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shownFirstName, shownLastName } from '../../src/company/directory/names.ts';
import { shownNames } from '../../src/ground/values/person-name.ts';
import { eventually } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { aShoutout } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test('people read the preferred name wherever a name is shown, and payroll and tax files have the legal names', async () => {
  const { workspace, issue } = await giftsOf(service);
  const [boss = 0, ada = 0] = await workspace.addPeople([
    { email: 'boss@example.com', firstName: 'Margaretha', lastName: 'Legalname', preferredName: 'Greta Boss' },
    { email: 'ada@example.com', firstName: 'Adelheid', lastName: 'Legalname', preferredName: 'Ada' },
  ]);
  await workspace.change(ada, { managerId: boss });
  const [gift = 0] = (await issue({ email: 'ada@example.com' })) as number[];
  await workspace.given(aShoutout({ recipient: { email: 'ada@example.com' } }));
  await offerSpendingOption(database, workspace.id, 'shop');
  await claim(database, workspace.id, gift);
  await spend(database, workspace.id, gift, 'payroll', { amount: 1 });
  const asText = async (path: string, headers = {}) => {
    const { status, body } = await workspace.call(path, { headers });
    assert.equal(status, 200, path);
    return typeof body === 'string' ? body : JSON.stringify(body);
  };
  const csv = { Accept: 'text/csv' };
  const year = new Date().getUTCFullYear();
  for (const [path, headers] of [
    [`/api/v1/gifts/${gift}`],
    ['/api/v1/gifts'],
    ['/api/v1/gifts', csv],
    ['/api/v1/redemptions'],
    ['/api/v1/members/suggestions?search=ada'],
    ['/api/v1/reports/teams/activity'],
    ['/api/v1/reports/teams/activity', csv],
    ['/api/v1/reports/members/last-recognized'],
    ['/api/v1/reports/members/last-recognized', csv],
    ['/api/v1/reports/members/not-recognized?since=2999-12-31&asOf=2999-12-31'],
    ['/api/v1/reports/coverage?by=manager'],
    [`/api/v1/members/${ada}/activities`],
  ] as const) {
    const text = await asText(path, headers);
    assert.match(text, /\bAda\b|Greta/, path);
    assert.doesNotMatch(text, /Adelheid|Margaretha/, path);
  }
  const coverage = await asText('/api/v1/reports/coverage?by=manager');
  assert.match(coverage, /Greta Boss/);
  const found = await workspace.read<{ members: { manager: unknown }[] }>('/api/v1/members?search=ada legalname');
  assert.deepEqual(found.members[0]?.manager, {
    ...{ id: boss, email: 'boss@example.com', firstName: 'Greta', lastName: 'Boss' },
  });
  assert.match(await asText(`/api/v1/reports/tax-log?year=${year}`), /Adelheid/);
  assert.match(await asText('/api/v1/payroll-exports/next'), /Adelheid/);
});

test('the gifts of a signed-in person carry their preferred name, and a manager does not read legal names', async () => {
  const { workspace } = await giftsOf(service);
  const [boss = 0, ada = 0] = await workspace.addPeople([
    { email: 'boss@example.com', firstName: 'Margaretha', lastName: 'Legalname' },
    { email: 'ada@example.com', firstName: 'Adelheid', lastName: 'Legalname', preferredName: 'Ada' },
  ]);
  await workspace.change(ada, { managerId: boss });
  const joining = { role: 'MANAGER', email: 'boss@example.com', workspace: workspace.id } as const;
  const browser = await signIn(service, { ...joining, name: 'Margaretha Legalname' });
  const { body: seen } = await browser.call<Record<string, unknown>>(`/api/v1/members/${ada}`);
  assert.deepEqual([seen.firstName, seen.lastName, seen.preferredName], ['Ada', 'Legalname', 'Ada']);
  await workspace.change(boss, { preferredName: 'Greta Boss' });
  const draft = { message: 'Thank you', amount: 5, currency: 'CAD' };
  const preview = async () => (await browser.call('/api/v1/gifts/preview', { method: 'POST', body: draft })).body;
  const shown = JSON.stringify(await eventually(preview, (body) => JSON.stringify(body).includes('Greta Boss')));
  assert.doesNotMatch(shown, /Margaretha/);
});

test('SQL and TypeScript show the same names', async () => {
  const name = fc
    .string({ unit: fc.constantFrom('A', 'b', 'é', ' ', '-', "'"), maxLength: 12 })
    .map((text) => text.trim());
  await fc.assert(
    fc.asyncProperty(name, name, fc.option(name.filter(Boolean)), async (firstName, lastName, preferredName) => {
      const [row] = await database.query(
        `select ${shownFirstName('m')} as "firstName", ${shownLastName('m')} as "lastName"
           from (values ($1::text, $2::text, $3::text)) as m (first_name, last_name, preferred_name)`,
        [firstName, lastName, preferredName],
      );
      assert.deepEqual(row, shownNames({ firstName, lastName, preferredName }));
    }),
  );
});

/** The files that read legal names: records themselves and what keeps them, payroll and tax files, what an erasure looks for, and the rule. */
const legal = [
  ...[
    'directory/members',
    'directory/names',
    'directory/recipients',
    'directory/write',
    'import/known',
    'import/manager-names',
  ],
  ...[
    'scim/user-rows',
    'orders/fulfil',
    'orders/pending-lines',
    'values/member',
    'redemptions/personal',
    'redemptions/tax-identities',
    'redemptions/tax-log',
    'redemptions/tax-totals',
    'rights/traces',
  ],
];

test('no other file reads the legal names', async () => {
  for await (const file of glob('src/**/*.ts')) {
    const isLegal = legal.some((one) => file.endsWith(`${one}.ts`));
    if (!isLegal)
      assert.doesNotMatch(
        await readFile(file, 'utf8'),
        /first_name/,
        `${file}: directory/names.ts has the names that people see`,
      );
  }
});
