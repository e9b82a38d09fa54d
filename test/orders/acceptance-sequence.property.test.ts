import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { readPendingLines } from '../../src/giving/orders/pending-lines.ts';
import { Shoutouts } from '../../src/giving/recognition/give.ts';
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
const shoutouts = new Shoutouts(database, readPendingLines);
const fulfilment = new Fulfilment({
  database,
  keys: parseKeys('a key that is long enough for a test'),
  checkSchema,
  steps: [{ inTransaction: async (_tx, { failed }) => assert.deepEqual(failed, []) }],
  onPostponed: (_workspaceId, _requestId, error) => assert.fail(error as Error),
});

type Named = Record<'email' | 'employeeNumber' | 'firstName' | 'lastName', string | undefined>;
type Step = {
  /** Several lines are an order; a single line is one if `isOrder`. */
  lines: Named[];
  isOrder: boolean;
  sender: Named | undefined;
  key: string | undefined;
  /** Whether everything before the next step is finished. */
  isCut: boolean;
};
interface Setting {
  refusesUnknownEmployeeNumbers: boolean;
  allowsSelfRecognition: boolean;
}

const email = fc.constantFrom(
  'ann@example.com',
  'ANN@example.com',
  'bob@example.com',
  'Bob@Example.com',
  'old@example.com',
);
const number = fc.constantFrom('1', '2', '3', '4');
const name = fc.constantFrom(undefined, 'One', 'Two');
const who = fc.oneof(
  fc.record({ email, employeeNumber: fc.option(number, { nil: undefined }) }),
  fc.record({ email: fc.constant(undefined), employeeNumber: number }),
);
const named: fc.Arbitrary<Named> = fc
  .tuple(who, name, name)
  .map(([identity, firstName, lastName]) => ({ ...identity, firstName, lastName }));
const step: fc.Arbitrary<Step> = fc.record({
  lines: fc.array(named, { minLength: 1, maxLength: 4 }),
  isOrder: fc.boolean(),
  sender: fc.option(named, { nil: undefined, freq: 4 }),
  key: fc.option(fc.constantFrom('k', 'l'), { nil: undefined, freq: 3 }),
  isCut: fc.boolean(),
});
const setting: fc.Arbitrary<Setting> = fc.record({
  refusesUnknownEmployeeNumbers: fc.boolean(),
  allowsSelfRecognition: fc.boolean(),
});

const open = { refusesUnknownEmployeeNumbers: false, allowsSelfRecognition: false };
const closed = { ...open, refusesUnknownEmployeeNumbers: true };

/** A workspace with somebody behind the token, somebody without names, and a record that was merged into theirs. */
async function openCompany(policies: Setting): Promise<WorkspaceGrant> {
  const grant = await createGrant(database, policies);
  const people = [
    { email: 'me@example.com', employeeNumber: '4' },
    { email: 'bob@example.com' },
    { email: 'old@example.com' },
  ];
  return inWorkspace(database, grant.workspaceId, async (tx) => {
    const [memberId, bob, old] = (await addMembers(tx, grant.workspaceId, people)) as [number, number, number];
    await mergeMembers(tx, theService, grant.workspaceId, old, bob);
    return { ...grant, memberId };
  });
}

/** Takes the steps in sequence. Everything between two cuts waits and is then processed together. */
async function take(steps: readonly Step[], policies: Setting) {
  const workspace = await openCompany(policies);
  const outcomes: unknown[] = steps.map(() => null);
  let orders: { nth: number; requestId: string }[] = [];
  let praises: Promise<void>[] = [];
  const settle = async () => {
    await Promise.all(praises);
    praises = [];
  };
  const fulfil = async () => {
    fulfilment.wake(workspace.workspaceId);
    await fulfilment.idle();
    for (const { nth, requestId } of orders) outcomes[nth] = await receiversOf(workspace.workspaceId, requestId);
    orders = [];
  };
  for (const [nth, { lines, isOrder, sender, key, isCut }] of steps.entries()) {
    const said = { tokenId: 1, workspace, idempotencyKey: key ?? null };
    if (isOrder) {
      await settle();
      const orderItems = lines.map((recipient) => ({ message: 'Hi', amount: 1, recipient }));
      await acceptance
        .accept({
          ...said,
          customerRequestId: null,
          order: JSON.parse(JSON.stringify({ orderItems, currency: 'CAD' })),
        })
        .then(({ record }) => orders.push({ nth, requestId: record.requestId }))
        .catch((error) => {
          outcomes[nth] = refusalOf(error);
        });
    } else {
      const shoutout = JSON.parse(
        JSON.stringify({ recipient: lines[0], message: 'Hi', isPrivate: false, ...(sender && { sender }) }),
      );
      const give = () =>
        shoutouts.give({ ...said, shoutout }).then(({ record, replayed }) => {
          outcomes[nth] = [record.sender.id, record.receiver.id, replayed];
        });
      praises.push(
        give()
          .catch((error) => (isToTryAgain(error) ? fulfil().then(give) : Promise.reject(error)))
          .catch((error) => {
            outcomes[nth] = refusalOf(error);
          }),
      );
    }
    if (isCut) {
      await settle();
      await fulfil();
    }
  }
  await settle();
  await fulfil();
  return described(workspace.workspaceId, outcomes);
}

/** Whether the service asks for another attempt, because an order that waits has to be fulfilled first. */
function isToTryAgain(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'unavailable';
}

function refusalOf(error: unknown): string {
  if (error instanceof Failure && !isToTryAgain(error)) return error.message;
  throw error;
}

async function receiversOf(workspaceId: number, requestId: string): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    'select member_id as id from certificates where workspace_id = $1 and request_id = $2 order by position',
    [workspaceId, requestId],
  );
  return rows.map(({ id }) => id);
}

/** The directory and the outcomes, with members identified by address and number instead of id. */
async function described(workspaceId: number, outcomes: unknown[]) {
  const members = await database.query<{ id: number; name: string }>(
    `select id, concat_ws('|', lower(email), employee_number, first_name, last_name, recognition_count) as name
       from members
      where workspace_id = $1
      order by 2`,
    [workspaceId],
  );
  const names = new Map(members.map((member) => [member.id, member.name]));
  const describe = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(describe) : typeof value === 'number' ? names.get(value) : value;
  return { members: members.map((member) => member.name), outcomes: outcomes.map(describe) };
}

test('orders and shoutouts have the same outcome however they are batched', async () => {
  const examples: [Step[], Setting][] = [
    // A number alone, then beside an e-mail: two people. In one order: one.
    [[aStep({ employeeNumber: '1' }), aStep({ email: 'ann@example.com', employeeNumber: '1' })], open],
    // A number that a shoutout makes known is known to the next.
    [[aShoutout({ email: 'ann@example.com', employeeNumber: '1' }), aShoutout({ employeeNumber: '1' })], closed],
    [[aStep({ email: 'ann@example.com', employeeNumber: '1' }), aStep({ employeeNumber: '1' })], closed],
    // A number by which an order that waits means somebody with another number.
    [
      [
        aShoutout({ email: 'bob@example.com', employeeNumber: '3' }),
        anOrder([{ employeeNumber: '1' }, { email: 'bob@example.com', employeeNumber: '1' }]),
        aShoutout({ employeeNumber: '1' }),
      ],
      open,
    ],
    // An order that waits counts before the shoutout that comes after it.
    [[aStep({ email: 'ann@example.com', employeeNumber: '1' }), aShoutout({ employeeNumber: '1' })], open],
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), setting, async (steps, policies) => {
      const together = await take(steps, policies);
      const oneByOne = await take(
        steps.map((one) => ({ ...one, isCut: true })),
        policies,
      );
      assert.deepEqual(together, oneByOne);
    }),
    { numRuns: runs(60), examples },
  );
});

function aStep(line: Partial<Named>): Step {
  return anOrder([line]);
}

function anOrder(lines: readonly Partial<Named>[]): Step {
  const nobody = { email: undefined, employeeNumber: undefined, firstName: undefined, lastName: undefined };
  return {
    lines: lines.map((line) => ({ ...nobody, ...line })),
    isOrder: true,
    sender: undefined,
    key: undefined,
    isCut: false,
  };
}

function aShoutout(line: Partial<Named>): Step {
  return { ...aStep(line), isOrder: false };
}
