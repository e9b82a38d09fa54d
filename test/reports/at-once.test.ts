import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { updateMembers } from '../../src/company/directory/save.ts';
import { findOrAddTeams, joinTeams } from '../../src/company/directory/teams.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { readWrongs } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { at, teamNames } from '../support/report-model.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test('during concurrent changes every page agrees with its total, and the books agree afterwards', async () => {
  const before = await readWrongs(database);
  const people = Array.from({ length: 30 }, (_, nth) => ({ email: `p${nth}@example.com`, employeeNumber: `${nth}` }));
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  const { id, memberIds } = workspace;
  // Two at a time, so that concurrent requests do not wait too long for the workspace's lock.
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  const inLane = (who: number, work: () => Promise<{ status: number }>) => {
    const mine = (lanes[who % lanes.length] as Promise<unknown>).then(work);
    lanes[who % lanes.length] = mine.catch(() => {});
    return mine;
  };
  const inDirectory = (who: number, work: (tx: Queryable, memberId: number) => Promise<unknown>) =>
    inLane(who, () => change(who, work));
  const change = (who: number, work: (tx: Queryable, memberId: number) => Promise<unknown>) =>
    database.transaction(async (tx) => {
      await lockWorkspace(tx, id);
      const [row] = await tx.query<{ id: number }>(
        'select coalesce(merged_into, id) as id from members where workspace_id = $1 and id = $2',
        [id, at(memberIds, who)],
      );
      await work(tx, row?.id as number);
      return { status: 200 };
    });
  const order = (who: number) => {
    const gifts = [who, who * 7, who + 40].map((one) => aGift({ recipient: { email: `P${one % 45}@example.com` } }));
    return workspace.call('/api/v1/orders', { method: 'POST', body: anOrder({ orderItems: gifts }) });
  };
  const acts: ((who: number) => Promise<{ status: number }>)[] = [
    order,
    (who) => workspace.give(aShoutout({ recipient: { employeeNumber: `${who % 40}` } })),
    (who) => workspace.give(aShoutout({ recipient: { email: `p${who % 50}@example.com` } })),
    (who) => workspace.decide(1 + (who % 60), 'approve'),
    (who) => workspace.decide(1 + (who % 60), 'decline'),
    (who) => inDirectory(who, (tx, memberId) => updateMembers(tx, id, [{ id: memberId, active: who % 2 === 0 }])),
    (who) => inDirectory(who, (tx, memberId) => updateMembers(tx, id, [{ id: memberId, department: `D${who % 3}` }])),
    (who) =>
      inDirectory(who, async (tx, memberId) => {
        const teams = await findOrAddTeams(tx, id, [at(teamNames, who)]);
        await joinTeams(tx, id, [{ memberId, teamId: teams.get(at(teamNames, who)) as number }]);
      }),
    (who) =>
      inDirectory(who, async (tx, memberId) => {
        const [other] = await tx.query<{ id: number }>(
          'select coalesce(merged_into, id) as id from members where workspace_id = $1 and id = $2',
          [id, at(memberIds, who * 3 + 1)],
        );
        if (who % 4 === 0 && other && other.id !== memberId) await mergeMembers(tx, theService, id, memberId, other.id);
      }),
    async (who) => {
      const { activities, totalElements } = await workspace.activity('?size=1000');
      assert.equal(activities.length, totalElements);
      for (const query of ['', '&includeInactive=true', `&department=d${who % 3}`, '&neverRecognized=true']) {
        const recognized = await workspace.lastRecognized(`?size=1000${query}`);
        assert.equal(recognized.teamMembers.length, recognized.totalElements, query);
      }
      return { status: 200 };
    },
  ];
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, nth) => at(acts, nth)(round * 131 + nth * 17 + Math.floor(nth / acts.length))),
    );
    for (const { status } of answers) assert.ok([200, 201, 400, 404, 409].includes(status), `${status}`);
  }
  await eventually(
    () =>
      database.query<{ waiting: number }>(
        `select count(*) as waiting from order_requests r left join orders o using (workspace_id, request_id)
          where workspace_id = $1 and o.request_id is null`,
        [id],
      ),
    ([row]) => row?.waiting === 0,
  );
  assert.deepEqual(await readWrongs(database), before);
});
