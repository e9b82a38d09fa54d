import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { OrderTrial } from '../../src/giving/orders/validate.ts';
import type { OrderRequest } from '../../src/ground/contract/order.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { Failure } from '../../src/ground/errors.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import fc from '../support/fast-check.ts';
import { createGrant } from '../support/grant.ts';
import { parseKeys } from '../support/keys.ts';
import { runs } from '../support/runs.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 4, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());
const acceptance = new Acceptance(database);
const trial = new OrderTrial(database, []);
const fulfilment = new Fulfilment({
  database,
  keys: parseKeys('a key that is long enough for a test'),
  checkSchema,
  steps: [{ inTransaction: async (_tx, { failed }) => assert.deepEqual(failed, []) }],
  onPostponed: (_workspaceId, _requestId, error) => assert.fail(error as Error),
});

const email = fc.constantFrom('ann@example.com', 'ANN@example.com', 'bob@example.com', 'old@example.com', 'left@x.org');
const number = fc.constantFrom('1', '2', '3', '4', '5');
const who = fc.oneof(
  fc.record({ email, employeeNumber: fc.option(number, { nil: undefined }) }),
  fc.record({ email: fc.constant(undefined), employeeNumber: number }),
);
const item = fc
  .tuple(who, fc.constantFrom(1, 2.5))
  .map(([recipient, amount]) => ({ message: 'Hi', amount, recipient }));
const order: fc.Arbitrary<OrderRequest> = fc
  .array(item, { minLength: 1, maxLength: 5 })
  .map((orderItems) => JSON.parse(JSON.stringify({ orderItems, currency: 'CAD' })));
const policies = fc.record({ refusesUnknownEmployeeNumbers: fc.boolean(), acceptsLeavers: fc.boolean() });

/** A company with a merged record and somebody who has left. */
async function openCompany(settings: Partial<WorkspaceGrant>): Promise<WorkspaceGrant> {
  const grant = { ...(await createGrant(database, settings)), ...settings };
  const people = [
    { email: 'bob@example.com', employeeNumber: '4' },
    { email: 'old@example.com' },
    { email: 'left@x.org', employeeNumber: '5', active: false },
  ];
  await inWorkspace(database, grant.workspaceId, async (tx) => {
    const [bob, old] = (await addMembers(tx, grant.workspaceId, people)) as [number, number];
    await mergeMembers(tx, theService, grant.workspaceId, old, bob);
  });
  return grant;
}

function submit(workspace: WorkspaceGrant, submitted: OrderRequest) {
  const said = { tokenId: 1, workspace, idempotencyKey: null, customerRequestId: null, order: submitted };
  return acceptance.accept(said).then(
    ({ record }) => record.requestId,
    (error) => {
      if (error instanceof Failure && error.kind === 'invalid') return error;
      throw error;
    },
  );
}

async function memberIds(workspaceId: number): Promise<Set<number>> {
  const rows = await database.query<{ id: number }>('select id from members where workspace_id = $1', [workspaceId]);
  return new Set(rows.map(({ id }) => id));
}

test('a trial foretells the order: whether it is accepted, who gets the gifts, and who is added', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(order, { maxLength: 2 }),
      order,
      fc.boolean(),
      policies,
      async (ahead, asked, cut, set) => {
        const workspace = await openCompany(set);
        const { workspaceId } = workspace;
        for (const earlier of ahead) await submit(workspace, earlier);
        const fulfil = async () => {
          fulfilment.wake(workspaceId);
          await fulfilment.idle();
        };
        if (cut) await fulfil();
        const foretold = await trial.validate({ workspace, tokenId: 1, order: asked, faults: [] });
        const before = await memberIds(workspaceId);
        const outcome = await submit(workspace, asked);
        assert.equal(foretold.valid, !(outcome instanceof Failure));
        if (outcome instanceof Failure) {
          assert.deepEqual(
            new Set(
              outcome.faults
                .map(({ path }) => path)
                .filter((path) => !foretold.faults.some((one) => one.path === path)),
            ),
            new Set(),
          );
          return;
        }
        await fulfil();
        const got = await database.query<{ id: number }>(
          'select member_id as id from certificates where workspace_id = $1 and request_id = $2 order by position',
          [workspaceId, outcome],
        );
        for (const [at, { outcome: is, member, sameAs }] of foretold.items.entries()) {
          const { id } = got[at] as { id: number };
          assert.equal(is === 'NEW', !before.has(id), `${at} ${is}`);
          if (member) assert.equal(member.id, id);
          assert.equal(
            sameAs === null ? -1 : sameAs,
            got.slice(0, at).findIndex((one) => one.id === id),
          );
        }
        const added = new Set(got.map(({ id }) => id)).difference(before).size;
        assert.equal(foretold.counts.added, added);
      },
    ),
    { numRuns: runs(80) },
  );
});
