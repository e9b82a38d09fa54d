import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const path = '/api/v1/custom-fields';

async function open() {
  const workspace = await openWorkspace(service);
  const define = (body: object) => workspace.call<{ message: string }>(path, { method: 'POST', body });
  const change = (key: string, body: object) =>
    workspace.call<{ message: string }>(`${path}/${key}`, { method: 'PATCH', body });
  return { workspace, define, change };
}

test('a workspace has 20 fields at most, and the message says what to do', async () => {
  const { workspace, define } = await open();
  for (let nth = 1; nth <= 20; nth++)
    assert.equal((await define({ key: `field${nth}`, label: `Field ${nth}`, kind: 'TEXT' })).status, 201);
  const { status, body } = await define({ key: 'field21', label: 'Field 21', kind: 'TEXT' });
  assert.equal(status, 400);
  assert.equal(body.message, 'A workspace has at most 20 custom fields: remove one that is no longer needed first.');
  assert.equal((await workspace.call(`${path}/field1`, { method: 'DELETE' })).status, 204);
  assert.equal((await define({ key: 'field21', label: 'Field 21', kind: 'TEXT' })).status, 201);
});

test('keys and labels are unique, and are not those of fields that every person has', async () => {
  const { define, change } = await open();
  const field = { key: 'shirtSize', label: 'Shirt size', kind: 'TEXT' };
  assert.equal((await define(field)).status, 201);
  const rejected: [object, number, RegExp][] = [
    [{ ...field, key: 'SHIRTSIZE', label: 'Other' }, 409, /key shirtSize already/],
    [{ ...field, key: 'size' }, 400, /^label is the name of the field shirtSize already$/],
    [{ ...field, key: 'size', label: 'shirt-SIZE' }, 400, /^label is the name of the field shirtSize already$/],
    [{ ...field, key: 'hireDate', label: 'Own' }, 400, /^key is the name of a field that every person has$/],
    [{ ...field, key: 'Avatar', label: 'Own' }, 400, /^key is the name of a field/],
    [{ ...field, key: 'size', label: 'Cost centre' }, 400, /^label is the name of a field that every person has$/],
    [{ ...field, key: 'size', label: '–' }, 400, /^label must have a letter or a digit$/],
    [{ ...field, key: 'shirt_size' }, 400, /^key /],
    [{ ...field, key: '1size' }, 400, /^key /],
    [{ ...field, key: 'size', label: 'x'.repeat(61) }, 400, /^label /],
    [{ ...field, key: 'size', label: 'Size', kind: 'BOOLEAN' }, 400, /^kind /],
  ];
  for (const [body, status, message] of rejected) {
    const answer = await define(body);
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.match(answer.body.message, message);
  }
  assert.equal((await define({ key: 'floor', label: 'Floor', kind: 'NUMBER' })).status, 201);
  assert.equal((await change('floor', { label: 'shirt size' })).status, 400);
  assert.equal((await change('floor', { label: 'FLOOR' })).status, 200);
  assert.equal((await change('floor', { key: 'storey' })).status, 400);
});

test('a choice has a list without repetitions, and other kinds have none', async () => {
  const { define, change } = await open();
  const field = { key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE', choices: ['S', 'M'] };
  const rejected: [object, RegExp][] = [
    [{ ...field, choices: [] }, /^choices must have at least one choice$/],
    [{ ...field, choices: ['S', 's'] }, /^choices has s twice$/],
    [{ ...field, choices: ['S', ''] }, /^choices/],
    [{ ...field, choices: Array.from({ length: 101 }, (_, nth) => `C${nth}`) }, /^choices /],
    [{ ...field, kind: 'TEXT' }, /^choices are for a field of the kind CHOICE$/],
  ];
  for (const [body, message] of rejected) {
    const answer = await define(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.message, message);
  }
  assert.equal((await define(field)).status, 201);
  assert.equal((await change('shirtSize', { choices: [] })).status, 400);
});

test('a choice that people have is not removed, and others are', async () => {
  const { workspace, define, change } = await open();
  await define({ key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE', choices: ['S', 'M', 'L'] });
  await workspace.addPeople([
    { email: 'ada@example.com', custom: { shirtSize: 'M' } },
    { email: 'li@example.com', custom: { shirtSize: 'M' } },
  ]);
  const { status, body } = await change('shirtSize', { choices: ['S', 'L'] });
  assert.equal(status, 409);
  assert.equal(body.message, 'The choice M is the value of 2 people: give them another one first, or keep it.');
  assert.equal((await change('shirtSize', { choices: ['M', 'L', 'XL'] })).status, 200);
  assert.deepEqual(await workspace.read(`${path}/shirtSize`), {
    ...{ key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE' },
    choices: ['M', 'L', 'XL'],
    people: 2,
  });
});

test('what was defined, changed and removed is in the audit log, with who did it', async () => {
  const { workspace, define, change } = await open();
  await define({ key: 'floor', label: 'Floor', kind: 'NUMBER' });
  await change('floor', { label: 'Storey' });
  await change('floor', { label: 'Storey' });
  await workspace.call(`${path}/floor`, { method: 'DELETE' });
  const entries = await service.database.query<{ entry: string }>(
    `select action || ' ' || subject_id || ' ' || subject_name as entry
       from audit_log
      where workspace_id = $1 and action like 'custom_field.%'
      order by id`,
    [workspace.id],
  );
  assert.deepEqual(
    entries.map(({ entry }) => entry),
    ['custom_field.added floor Floor', 'custom_field.changed floor Storey', 'custom_field.removed floor Storey'],
  );
});

test('twenty requests at once define no more than 20 fields, and one of a key', async () => {
  const { workspace, define } = await open();
  const keys = Array.from({ length: 24 }, (_, nth) => `field${nth % 22}`);
  const answers = await Promise.all(keys.map((key) => define({ key, label: key, kind: 'TEXT' })));
  assert.equal(answers.filter(({ status }) => status === 201).length, 20);
  const { customFields } = await workspace.read<{ customFields: unknown[] }>(path);
  assert.equal(customFields.length, 20);
});
