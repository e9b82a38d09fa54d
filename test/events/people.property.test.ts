import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitMember } from '../../src/company/directory/split.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { Failure } from '../../src/ground/errors.ts';
import { followEvents, type PulledEvent } from '../support/events.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';
import { openWithScim, type ScimClient } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { aShoutout, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const who = fc.integer({ min: 0, max: 5 });
const step = fc.oneof(
  fc.record({ act: fc.constantFrom('create', 'createLeft', 'leave', 'return', 'rename', 'delete', 'same'), who }),
  fc.record({ act: fc.constantFrom('order', 'shoutout', 'team', 'split'), who }),
  fc.record({ act: fc.constant('merge'), who, into: who }),
);
type Step = { act: string; who: number; into?: number };

interface Stage {
  workspace: TestWorkspace;
  scim: ScimClient;
  nth: number;
}

const address = (nth: number) => `p${nth}@example.com`;

/** The surviving record that an address leads to; null if there is none. */
async function find({ workspace }: Stage, nth: number): Promise<number | null> {
  const [row] = await database.query<{ id: number }>(
    'select coalesce(merged_into, id) as id from members where workspace_id = $1 and email = $2',
    [workspace.id, address(nth)],
  );
  return row?.id ?? null;
}

/** A step that is refused changes nothing, and is part of the history too. */
async function take(stage: Stage, { act, who, into = who }: Step): Promise<void> {
  const { workspace, scim, nth } = stage;
  const id = await find(stage, who);
  const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: address(who) };
  const patch = (path: string, value: unknown) => scim.patch(`/Users/${id}`, [{ op: 'replace', path, value }]);
  if (act === 'create') await scim.post('/Users', user);
  else if (act === 'createLeft') await scim.post('/Users', { ...user, active: false });
  else if (act === 'order') await order(workspace, who);
  else if (act === 'shoutout') await workspace.give(aShoutout({ recipient: { email: address(who) } }));
  else if (id === null) return;
  else if (act === 'leave') await patch('active', false);
  else if (act === 'return') await patch('active', true);
  else if (act === 'rename') await patch('name.givenName', `Name ${nth}`);
  else if (act === 'same') await patch('userName', address(who));
  else if (act === 'delete') await scim.delete(`/Users/${id}`);
  else if (act === 'team') await scim.post('/Groups', { displayName: `T${nth}`, members: [{ value: String(id) }] });
  else if (act === 'split')
    await refusable(database.transaction((tx) => splitMember(tx, theService, workspace.id, id, ['email'])));
  else if (act === 'merge') await refusable(workspace.merge(id, (await find(stage, into)) ?? id));
}

/** Refused for people who have left. */
async function order(workspace: TestWorkspace, nth: number): Promise<void> {
  const { status, body } = await workspace.order([{ email: address(nth), firstName: 'Ada' }]);
  if (status === 201) await workspace.finished(body.requestId);
}

async function refusable(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => assert.ok(error instanceof Failure, String(error)));
}

interface Known {
  hasLeft: boolean;
  mergedInto: number | null;
}

/** Who exists, who has left and who was merged into whom, from the events alone. Each event has to make sense in its turn. */
function follow(people: Map<number, Known>, { type, data }: PulledEvent): void {
  if (!type.startsWith('member.')) return;
  const id = data.id as number;
  const known = people.get(id);
  assert.equal(known === undefined, type === 'member.added', `${type} ${id}`);
  assert.ok(!known || known.mergedInto === null, `${type} of ${id}, who was merged`);
  const { hasLeft = false } = known ?? {};
  if (type === 'member.left') assert.equal(hasLeft, false);
  if (type === 'member.returned') assert.equal(hasLeft, true);
  people.set(id, {
    hasLeft: type === 'member.left' || (hasLeft && type !== 'member.returned'),
    mergedInto: type === 'member.merged' ? (data.into as number) : null,
  });
}

/** A survivor may be merged later, and merged records leave together with theirs. */
function settled(people: ReadonlyMap<number, Known>) {
  const survivor = (id: number): number => {
    const into = people.get(id)?.mergedInto ?? null;
    return into === null ? id : survivor(into);
  };
  return [...people.keys()]
    .sort((one, other) => one - other)
    .map((id) => ({
      id,
      mergedInto: survivor(id) === id ? null : survivor(id),
      hasLeft: people.get(survivor(id))?.hasLeft,
    }));
}

/** What members are beside recognition and their place in SCIM: if it changes, there is an event. */
async function readFields(workspaceId: number): Promise<Map<number, string>> {
  const rows = await database.query<{ id: number; fields: string }>(
    `select id, (to_jsonb(m) - '{changed_at,deprovisioned_at,recognition_count,last_recognized_on,last_recognized_at,last_recognized_by,
                                last_recognized_number}'::text[])::text as fields
       from members m
      where workspace_id = $1 and not is_integration and merged_into is null`,
    [workspaceId],
  );
  return new Map(rows.map(({ id, fields }) => [id, fields]));
}

test('who exists, has left and was merged is in the events alone, and whose record changed has an event', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 18 }), async (steps: Step[]) => {
      const { workspace, scim } = await openWithScim(service);
      const { next } = followEvents(workspace);
      const people = new Map<number, Known>();
      let before = await readFields(workspace.id);
      for (const [nth, one] of steps.entries()) {
        await take({ workspace, scim, nth }, one);
        const events = await next();
        for (const event of events) follow(people, event);
        const after = await readFields(workspace.id);
        const changed = [...after].filter(([id, fields]) => before.get(id) !== fields).map(([id]) => id);
        const told = new Set(events.filter(({ type }) => type.startsWith('member.')).map(({ data }) => data.id));
        for (const id of changed) assert.ok(told.has(id), `${one.act} changed ${id} without an event`);
        for (const id of told)
          assert.ok(changed.includes(id as number) || !after.has(id as number), `${one.act} did not change ${id}`);
        before = after;
      }
      const rows = await database.query(
        `select id, merged_into as "mergedInto", left_at is not null as "hasLeft"
           from members where workspace_id = $1 and not is_integration order by id`,
        [workspace.id],
      );
      assert.deepEqual(settled(people), rows);
    }),
    { numRuns: runs(25) },
  );
});
