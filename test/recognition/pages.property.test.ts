import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkServices } from '../support/books.ts';
import fc from '../support/fast-check.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { ada } from '../support/shoutouts.ts';
import { aShoutout, openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const descriptions = ({ activities }: { activities: { description: string }[] }) =>
  activities.map(({ description }) => description);

type Step = { kind: 'gift' | 'shoutout' | 'approve' | 'decline'; which: number };

test('after any history of gifts and decisions, every page of team activity equals a plain list', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('gift', 'shoutout', 'shoutout', 'approve', 'decline', 'decline'),
    which: fc.nat(100),
  });
  const history = fc.array(step, { maxLength: 18 });
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 9 }), async (steps, size) => {
      const workspace = await openWorkspace(service, { asksForApproval: true });
      const model: { id: number; text: string; status: string }[] = [];
      for (const { kind, which } of steps) {
        const pending = model.filter(({ status }) => status === 'PENDING');
        const chosen = pending[which % Math.max(1, pending.length)];
        const text = `${model.length}`;
        if (kind === 'shoutout')
          model.push({ id: (await workspace.given(aShoutout({ message: text }))).id, text, status: 'PENDING' });
        else if (kind === 'gift') {
          const order = anOrder({ orderItems: [aGift({ message: text })] });
          const { body } = await workspace.call('/api/v1/orders', { method: 'POST', body: order });
          await workspace.finished(body.requestId as string);
          model.push({ id: 0, text, status: 'APPROVED' });
        } else if (chosen) {
          assert.equal((await workspace.decide(chosen.id, kind)).status, 200);
          chosen.status = kind === 'approve' ? 'APPROVED' : 'DECLINED';
        }
      }
      const living = model.filter(({ status }) => status !== 'DECLINED').reverse();
      const totalPages = Math.ceil(living.length / size);
      for (let page = 0; page <= totalPages; page++) {
        const { activities, ...fields } = await workspace.activity(`?page=${page}&size=${size}`);
        assert.deepEqual(fields, { page, size, totalElements: living.length, totalPages });
        assert.deepEqual(
          activities.map(({ description, status }) => [description, status]),
          living.slice(page * size, (page + 1) * size).map(({ text, status }) => [text, status]),
        );
      }
    }),
    { numRuns: runs(15) },
  );
});

/** Adds many pending shoutouts in one statement. Each has its number as its text. */
async function fillWorkspace(workspace: TestWorkspace, count: number): Promise<void> {
  await database.query(
    `with counter as (
       update activity_counters set total = total + $2, latest = now() where workspace_id = $1 returning total - $2 as before),
     sent as (
       insert into shoutouts (workspace_id, number, token_id, body)
       select $1, before + nth, (select min(id) from api_tokens), json_build_object('message', (before + nth)::text)
         from counter, generate_series(1, $2::int) nth)
     insert into activities (workspace_id, number, type, status, sender_id, receiver_id, description, created_on)
     select $1, before + nth, 'SHOUTOUT', 'PENDING', m.id, m.id, before + nth, now()
       from counter, generate_series(1, $2::int) nth, (select min(id) as id from members where workspace_id = $1) m`,
    [workspace.id, count],
  );
}

/** Declines a range of shoutouts in one statement, with the same result as single decisions. */
async function declineRange(workspace: TestWorkspace, from: number, to: number): Promise<void> {
  await database.query(
    `with declined as (
       update activities set status = 'DECLINED'
        where workspace_id = $1 and number between $2 and $3 and status = 'PENDING' returning number),
     decided as (
       update shoutouts s set decided_at = now() from declined d where s.workspace_id = $1 and s.number = d.number),
     counted as (
       update activity_counters set declined = declined + (select count(*) from declined) where workspace_id = $1)
     insert into activity_gaps as g (workspace_id, size, block, gaps)
     select $1, size, (number - 1) / size, count(*)
       from declined, unnest(array[1000, 1000000]) as size group by 2, 3
     on conflict (workspace_id, size, block) do update set gaps = g.gaps + excluded.gaps`,
    [workspace.id, from, to],
  );
}

test('pages are exact over thousands of activities with gaps at and across every thousand', async () => {
  const workspace = await openWorkspace(service, { people: [ada], asksForApproval: true });
  const total = 5_003;
  await fillWorkspace(workspace, total);
  const declined = new Set<number>();
  const check = async (page: number, size: number) => {
    const living = Array.from({ length: total }, (_, nth) => total - nth).filter((number) => !declined.has(number));
    const { activities, ...fields } = await workspace.activity(`?page=${page}&size=${size}`);
    const totalPages = Math.ceil(living.length / size);
    assert.deepEqual(fields, { page, size, totalElements: living.length, totalPages });
    assert.deepEqual(
      descriptions({ activities }),
      living.slice(page * size, (page + 1) * size).map(String),
      `page ${page} of ${size}`,
    );
  };
  const decline = async (number: number) => {
    if (declined.has(number)) return;
    assert.equal((await workspace.decide(number, 'decline')).status, 200);
    declined.add(number);
  };
  const edges = [999, 1000, 1001];
  for (const [page, size] of edges.flatMap(
    (edge) =>
      [
        [edge, 1],
        [1, edge - 1],
        [4, 1000],
      ] as const,
  ))
    await check(page, size);
  for (const number of [1000, 1001, 2999, 3000, 3001, total, 1]) await decline(number);
  for (const edge of [0, 1, 2, 3, 2_001, 2_002, 2_003, 3_999, 4_000, 4_001, 4_994, 4_995, 4_996]) await check(edge, 1);
  await declineRange(workspace, 1_995, 4_000);
  for (let number = 1_995; number <= 4_000; number++) declined.add(number);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: total }), fc.constantFrom(1, 2, 1_000, 1_001, 4_001, 5_000, 5_001)), {
        maxLength: 3,
      }),
      fc.constantFrom(1, 7, 20, 333, 1_000),
      fc.double({ min: 0, max: 1.05, noNaN: true }),
      async (numbers, size, place) => {
        for (const number of numbers) await decline(number);
        await check(Math.floor(((total - declined.size) / size) * place), size);
      },
    ),
    { numRuns: runs(40) },
  );
  await declineRange(workspace, 1, total);
  for (let number = 1; number <= total; number++) declined.add(number);
  for (const page of [0, 1, 5]) await check(page, 1_000);
  await workspace.given(aShoutout({ message: 'after all' }));
  const { totalElements, activities } = await workspace.activity();
  assert.deepEqual([totalElements, activities[0]?.description], [1, 'after all']);
});

test('after all of this the books agree, and no request failed', () => checkServices(service));
