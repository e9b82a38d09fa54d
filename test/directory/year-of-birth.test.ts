import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectScim, giftwire } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { readWhole } from '../support/whole-database.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });
const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com' }, { email: 'li@example.com' }] });
const [ada] = workspace.memberIds as [number];
const scim = await connectScim(service, workspace.id);

/** Tables with a text of these, which no other data has. */
async function tablesWith(years: RegExp): Promise<string[]> {
  const whole = await readWhole(service.database);
  return Object.entries(whole).flatMap(([name, table]) =>
    (table as { rows: string[] }).rows.some((row) => years.test(row)) ? [name] : [],
  );
}

test('no way in stores the year of birth: not the record, the event, the audit log, or what is kept for a repeated request', async () => {
  const key = (name: string) => ({ 'Idempotency-Key': name });
  const member = { email: 'mei@example.com', birthday: '1987-05-17' };
  const post = () => workspace.call('/api/v1/members', { method: 'POST', body: member, headers: key('one') });
  assert.deepEqual([(await post()).status, (await post()).status], [201, 201]);
  const patch = { method: 'PATCH', body: { birthday: '1987-02-31' }, headers: key('two') };
  refusal(await workspace.call(`/api/v1/members/${ada}`, patch), 400);
  await workspace.call(`/api/v1/members/${ada}`, {
    method: 'PATCH',
    body: { birthday: '1988-02-29' },
    headers: key('3'),
  });
  const file = [
    'Work Email,Date of Birth',
    'li@example.com,17/05/1987',
    'owen@example.com,1987-13-45',
    'kim@example.com,"17 May, 1987"',
    'jo@example.com,31770',
    'max@example.com,03/04/1988',
  ].join('\n');
  for (const query of ['?dryRun=true', ''])
    await workspace.call(`/api/v1/members/import${query}`, {
      method: 'POST',
      body: file as never,
      headers: { 'Content-Type': 'text/csv', ...key(`import ${query}`) },
    });
  const user = await scim.addUser({ userName: 'sam@example.com', [giftwire]: { birthday: '1987-05-17' } });
  const of = (operations: object[]) => scim.patch(`/Users/${user.id}`, operations);
  await of([{ op: 'replace', path: `${giftwire}:birthday`, value: '1987-06-18' }]);
  await of([{ op: 'replace', value: { [giftwire]: { birthday: '1987-31-99' } } }]);
  await scim.put(`/Users/${user.id}`, {
    userName: 'sam@example.com',
    [giftwire]: { birthday: '1987-07-19T00:00:00Z' },
  });
  assert.deepEqual(await tablesWith(/(?<![\da-f])198[78](?![\da-f])/), []);
  const rows = await service.database.query<{ birthday: string }>(
    'select birthday from members where workspace_id = $1 and birthday is not null order by id',
    [workspace.id],
  );
  assert.ok(rows.length >= 4, JSON.stringify(rows));
});

test('a custom field can be no date or year of birth, whatever it is called', async () => {
  const add = (key: string, label: string) =>
    workspace.call('/api/v1/custom-fields', { method: 'POST', body: { key, label, kind: 'DATE' } });
  for (const label of [
    'Date of birth',
    'Birth date',
    'Employee Birthdate',
    'DOB',
    'Date de naissance',
    'Année de naissance',
    'Geburtsjahr',
    'Año de nacimiento',
  ])
    assert.match(refusal(await add('born', label), 400), /label must not be a date or a year of birth/, label);
  assert.match(refusal(await add('yearOfBirth', 'Y'), 400), /key must not be/);
  assert.equal((await add('place', 'Birthplace')).status, 201);
  const change = { method: 'PATCH', body: { label: 'Birthday' } };
  refusal(await workspace.call('/api/v1/custom-fields/place', change), 400);
});
