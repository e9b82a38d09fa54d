import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { openUndos } from '../support/undo.ts';
import { aShoutout } from '../support/workspace.ts';

const service = await startService();

const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', department: 'Lab' },
  { email: 'ada.o@example.com', employeeNumber: '17', firstName: 'Ada', lastName: 'O', phone: '+1 555' },
  { email: 'ben@example.com', firstName: 'Ben' },
  { email: 'cy@example.com', firstName: 'Cy' },
];

async function open(asksForApproval = false) {
  const workspace = await openUndos(service, { people, asksForApproval });
  const [ada = 0, other = 0, ben = 0, cy = 0] = workspace.memberIds;
  const merge = async (from: number, into: number) => {
    const { status, body } = await workspace.call(`/api/v1/members/${from}/merge`, { method: 'POST', body: { into } });
    assert.equal(status, 200, JSON.stringify(body));
  };
  return { ...workspace, ada, other, ben, cy, merge };
}

test('undoing a merge gives back both records with their recognition, reports and teams', async () => {
  const { ada, other, ben, cy, merge, change, gift, given, undoing } = await open();
  await gift({ email: 'ada@example.com' });
  await gift({ email: 'ada.o@example.com' }, { email: 'ben@example.com' });
  await given(aShoutout({ recipient: { email: 'ada.o@example.com' } }));
  await change(other, { managerId: cy, email: 'ada.new@example.com' });
  await change(ben, { managerId: other });
  const undone = await undoing(() => merge(other, ada));
  assert.deepEqual([undone.kind, undone.subjectId, undone.subjectName], ['MEMBER_MERGE', ada, 'Ada Okafor']);
});

test('recognition after a merge stays with the record that received it', async () => {
  const { ada, other, merge, gift, given, decide, list, undo, members } = await open(true);
  await gift({ email: 'ada.o@example.com' });
  const waiting = await given(aShoutout({ recipient: { email: 'ada.o@example.com' } }));
  await merge(other, ada);
  await gift({ email: 'ada.o@example.com' }, { email: 'ada@example.com' });
  await decide(waiting.id, 'approve');
  assert.equal((await undo((await list())[0]?.id ?? '')).status, 200);
  const counts = (await members()).members.map(({ id, recognitions }) => [id, recognitions]);
  assert.deepEqual(new Map(counts as [number, number][]).get(other), 2);
  assert.deepEqual(new Map(counts as [number, number][]).get(ada), 2);
});

test('merges of merges are undone from the last one', async () => {
  const { ada, other, ben, merge, gift, list, undo, refused, state } = await open();
  await gift({ email: 'ada.o@example.com' });
  const first = await state();
  await merge(other, ada);
  const second = await state();
  await merge(ada, ben);
  const [last, earlier] = await list();
  assert.match(await refused(earlier?.id ?? ''), /changed since/);
  assert.equal((await undo(last?.id ?? '')).status, 200);
  assert.deepEqual(await state(), second);
  assert.equal((await undo(earlier?.id ?? '')).status, 200);
  assert.deepEqual(await state(), first);
});

test('several merges into one record are undone from the last one', async () => {
  const { ada, ben, cy, merge, gift, given, list, undo, refused, state } = await open();
  await gift({ email: 'cy@example.com' });
  await given(aShoutout({ recipient: { email: 'ben@example.com' } }));
  const first = await state();
  await merge(ben, ada);
  const second = await state();
  await merge(cy, ada);
  const [last, earlier] = await list();
  assert.match(await refused(earlier?.id ?? ''), /another record was merged into this one since/);
  assert.equal((await undo(last?.id ?? '')).status, 200);
  assert.deepEqual(await state(), second);
  assert.equal((await undo(earlier?.id ?? '')).status, 200);
  assert.deepEqual(await state(), first);
});

test('a merge of a record that was changed since is not undone', async () => {
  const { ada, other, merge, change, list, refused } = await open();
  await merge(other, ada);
  await change(ada, { department: 'Shop' });
  assert.match(await refused((await list())[0]?.id ?? ''), new RegExp(`member ${ada} was changed since`));
});

test('a merge is not undone if people would report to themselves', async () => {
  const { ada, other, ben, cy, merge, change, addPeople, list, refused } = await open();
  const [dee] = await addPeople([{ email: 'dee@example.com' }]);
  await change(ada, { managerId: dee as number });
  await change(other, { managerId: cy });
  await change(ben, { managerId: other });
  await merge(other, ada);
  await change(cy, { managerId: ben });
  assert.match(await refused((await list())[0]?.id ?? ''), /report to themselves/);
});

test('undoing a merge has the events of two people', async () => {
  const { ada, other, merge, list, undo, read } = await open();
  await merge(other, ada);
  const { next } = await read<{ next: number }>('/api/v1/events?size=1000');
  await undo((await list())[0]?.id ?? '');
  const { events } = await read<{ events: { type: string; data: { id: number } }[] }>(`/api/v1/events?after=${next}`);
  assert.deepEqual(
    events.map(({ type, data }) => `${type} ${data.id}`),
    [`member.unmerged ${other}`, `member.changed ${ada}`],
  );
});
