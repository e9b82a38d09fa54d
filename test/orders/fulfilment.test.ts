import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { OrderRecord, OrderRequestStatus } from '../../src/contract/order.ts';
import type { TeamActivityPage } from '../../src/contract/report.ts';
import { checkSchema } from '../../src/database/schema.ts';
import { Fulfilment } from '../../src/orders/fulfilment.ts';
import { wakeForgotten } from '../../src/orders/wake-up.ts';
import { checkBooks } from '../support/books.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';

type Recipient = Record<string, string | null>;
interface Member {
  id: number;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  recognitions: number;
  lastDate: string | null;
  lastType: string | null;
}

// Nodes of one installation share the key; a service of the tests has its own folder.
const tokenKey = 'the-key-that-all-nodes-of-this-file-share';
const service = await startService({ tokenKey });
const { database } = service;
const patience = { timeout: 60_000 };

/** Makes gifts with certain messages fail in the database: always, or only the first time. */
async function curse(on: TestService['database']): Promise<void> {
  await on.pool.query(`
    create sequence flaky_attempts;
    create function curse() returns trigger language plpgsql as $$
    begin
      if new.message like 'poison%' then
        raise exception 'the gift % is cursed', new.message;
      elsif new.message like 'flaky%' and nextval('flaky_attempts') = 1 then
        raise exception 'not now' using errcode = 'serialization_failure';
      elsif new.message like 'endless%' then
        raise exception 'never' using errcode = 'serialization_failure';
      end if;
      return new;
    end $$;
    create trigger curse before insert on certificates for each row execute function curse()`);
}
await curse(database);

async function eventually<T>(read: () => Promise<T | undefined>, what: string): Promise<T> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(5)) {
    const value = await read();
    if (value !== undefined) return value;
  }
  throw new Error(`${what} did not happen`);
}

/** A workspace of its own with a token, in the database of the given service. */
async function openWorkspace(on: TestService = service, tokenName: string | null = 'Payroll', name = 'Acme') {
  const id = await on.addWorkspace({ name });
  const { token } = await on.addToken({ workspaces: [id], name: tokenName });
  const access = { token, workspace: id };
  const submit = async (orderItems: unknown[], via: TestService = on) => {
    const call = { method: 'POST', ...access, body: anOrder({ orderItems }) };
    const { status, body } = await via.call<OrderRequestStatus>('/api/v1/orders', call);
    assert.equal(status, 201, JSON.stringify(body));
    return body.requestId;
  };
  const status = async (requestId: string) =>
    (await on.call<OrderRequestStatus>(`/api/v1/orders/status/${requestId}`, access)).body;
  const find = async (requestId: string) =>
    (await on.call<OrderRecord>(`/api/v1/orders/${requestId}?size=1000`, access)).body;
  const finished = (requestId: string) =>
    eventually(async () => {
      const record = await find(requestId);
      return record.state === 'PENDING' ? undefined : record;
    }, `the end of ${requestId}`);
  return {
    id,
    submit,
    status,
    finished,
    /** Sends one order with a gift for each recipient; the ids of those who got them. */
    async give(...recipients: Recipient[]): Promise<number[]> {
      const { certificates, state } = await finished(await submit(recipients.map((to) => aGift({ recipient: to }))));
      assert.equal(state, 'COMPLETED');
      return certificates.map(({ recipientUser }) => recipientUser);
    },
    members: () =>
      on.database.query<Member>(
        `select id, email, employee_number as "employeeNumber", first_name as "firstName", last_name as "lastName",
                recognition_count as recognitions, last_recognized_on as "lastDate", last_recognized_by as "lastType"
           from members where workspace_id = $1 and not is_integration order by id`,
        [id],
      ),
    activities: async () =>
      (await on.call<TeamActivityPage>('/api/v1/reports/teams/activity?size=1000', access)).body.activities.reverse(),
  };
}
type Workspace = Awaited<ReturnType<typeof openWorkspace>>;

/** Another node on the database of this one. */
const startNode = (beside: TestService, role: 'all' | 'worker' = 'all') =>
  startService({ tokenKey, role, databaseUrl: beside.database.url });

const emptyQueue = (on = database) =>
  eventually(async () => {
    const [row] = await on.query<{ jobs: number }>('select count(*) as jobs from graphile_worker._private_jobs');
    return row?.jobs === 0 ? true : undefined;
  }, 'an empty queue');

const addJob = (workspaceId: number, requestIds: string[]) =>
  database.query(`select graphile_worker.add_job('fulfil', $1::json)`, [
    JSON.stringify({ workspaceIds: requestIds.map(() => workspaceId), requestIds }),
  ]);

test('a member recognized on an earlier day moves to today, and the count of each day with them', async () => {
  const workspace = await openWorkspace();
  await workspace.give({ email: 'a@example.com' }, { email: 'b@example.com' });
  await database.query(
    `update members set last_recognized_on = '2020-02-29' where workspace_id = $1 and recognition_count > 0`,
    [workspace.id],
  );
  await workspace.give({ email: 'a@example.com' }, { email: 'a@example.com' }, { email: 'c@example.com' });
  await checkBooks(database, workspace.id, 5);
  const days = await database.query<{ members: number }>(
    'select members from recognition_days where workspace_id = $1 and isfinite(day) order by day',
    [workspace.id],
  );
  assert.deepEqual(
    days.map(({ members }) => members),
    [1, 2],
  );
});

test('one order may mix recipients by e-mail and by employee number', async () => {
  const workspace = await openWorkspace();
  const got = await workspace.give({ email: 'a@example.com' }, { employeeNumber: '7' }, { email: 'b@example.com' });
  const members = await workspace.members();
  const idOf = (known: Partial<Member>) =>
    members.find(({ email, employeeNumber }) => email === known.email && employeeNumber === known.employeeNumber)?.id;
  assert.deepEqual(got, [
    idOf({ email: 'a@example.com', employeeNumber: null }),
    idOf({ email: null, employeeNumber: '7' }),
    idOf({ email: 'b@example.com', employeeNumber: null }),
  ]);
  assert.equal(new Set(got).size, 3);
  assert.ok(got.every(Number.isInteger));
});

test('with both present the gift goes to the person with that e-mail, whoever has the number', async () => {
  const workspace = await openWorkspace();
  const [ada, bob] = await workspace.give({ email: 'ada@example.com' }, { employeeNumber: '1' });
  assert.deepEqual(await workspace.give({ email: 'ada@example.com', employeeNumber: '1' }), [ada]);
  const [eve] = await workspace.give({ email: 'eve@example.com', employeeNumber: '1' });
  assert.deepEqual(await workspace.give({ employeeNumber: '1' }, { email: 'eve@example.com' }), [bob, eve]);
  const numbers = (await workspace.members()).map(({ id, employeeNumber }) => [id, employeeNumber]);
  assert.deepEqual(Object.fromEntries(numbers), { [ada as number]: null, [bob as number]: '1', [eve as number]: null });
});

test('an employee number beside an e-mail is recorded if that person has none and nobody else has it', async () => {
  const workspace = await openWorkspace();
  const [ada, bob] = await workspace.give(
    { email: 'ada@example.com' },
    { email: 'bob@example.com', employeeNumber: '2' },
  );
  assert.deepEqual(await workspace.give({ employeeNumber: '2' }), [bob]);
  await workspace.give({ email: 'ADA@example.com', employeeNumber: '1' });
  await workspace.give(
    { email: 'ada@example.com', employeeNumber: '9' },
    { email: 'bob@example.com', employeeNumber: '8' },
  );
  assert.deepEqual(await workspace.give({ employeeNumber: '1' }, { employeeNumber: '2' }), [ada, bob]);
  assert.deepEqual(
    (await workspace.members()).map(({ employeeNumber }) => employeeNumber),
    ['1', '2'],
  );
});

test('of one order the first to claim a number has it, and a number that is not taken stays free', async () => {
  const workspace = await openWorkspace();
  const gifts = [
    { email: 'ada@example.com', employeeNumber: 'A' },
    { email: 'bob@example.com', employeeNumber: 'A' },
    { email: 'ada@example.com', employeeNumber: 'B' },
    { email: 'bob@example.com', employeeNumber: 'B' },
    { employeeNumber: 'B' },
  ];
  const [ada, bob, ...others] = await workspace.give(...gifts);
  assert.deepEqual(others, [ada, bob, bob]);
  assert.deepEqual(
    (await workspace.members()).map(({ email, employeeNumber }) => [email, employeeNumber]),
    [
      ['ada@example.com', 'A'],
      ['bob@example.com', 'B'],
    ],
  );
});

test('e-mails that differ only in case are one person, in one order and in later ones', async () => {
  const workspace = await openWorkspace();
  const spellings = ['Ada.L@Example.com', 'ada.l@example.com', 'ADA.L@EXAMPLE.COM'].map((email) => ({ email }));
  const ids = new Set([...(await workspace.give(...spellings)), ...(await workspace.give(...spellings.reverse()))]);
  assert.equal(ids.size, 1);
  const members = await workspace.members();
  assert.deepEqual(
    members.map(({ email, recognitions }) => [email, recognitions]),
    [['Ada.L@Example.com', 6]],
  );
});

test('employee numbers are compared exactly after trimming', async () => {
  const workspace = await openWorkspace();
  const same = await workspace.give(
    ...['x7', ' x7', 'x7\t', '\u00a0x7\n'].map((employeeNumber) => ({ employeeNumber })),
  );
  assert.equal(new Set(same).size, 1);
  const others = ['X7', 'x07', '7', '07', 'x 7', 'é', 'e\u0301'].map((employeeNumber) => ({ employeeNumber }));
  assert.equal(new Set([...same, ...(await workspace.give(...others))]).size, 1 + others.length);
});

test('a new recipient has the first spelling and names that came; a known one keeps their own', async () => {
  const workspace = await openWorkspace();
  const [id] = await workspace.give(
    { email: 'Grace@Example.com', firstName: ' Grace ', lastName: 'Hopper' },
    { email: 'grace@example.com', firstName: 'Rear Admiral', lastName: 'H.' },
  );
  await workspace.give({ email: 'grace@example.com', firstName: 'Somebody', lastName: 'Else', employeeNumber: '5' });
  await workspace.give({ employeeNumber: '5', firstName: 'Nobody' }, { employeeNumber: '6', lastName: 'Six' });
  const members = (await workspace.members()).map(({ recognitions: _, lastDate: __, lastType: ___, ...rest }) => rest);
  assert.deepEqual(members[0], {
    id,
    email: 'Grace@Example.com',
    employeeNumber: '5',
    firstName: 'Grace',
    lastName: 'Hopper',
  });
  assert.deepEqual(
    { ...members[1], id: 0 },
    { id: 0, email: null, employeeNumber: '6', firstName: '', lastName: 'Six' },
  );
});

test('the same person in another workspace is another member', async () => {
  const [one, other] = [await openWorkspace(), await openWorkspace()];
  const to = { email: 'ada@example.com', employeeNumber: '1' };
  assert.notDeepEqual(await one.give(to), await other.give(to));
});

test('the same person in fifty concurrent orders, over two nodes, is one member', patience, async () => {
  const node = await startNode(service);
  const workspace = await openWorkspace();
  const spellings = ['new@example.com', 'New@example.com', 'NEW@EXAMPLE.COM'];
  const requestIds = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => {
      const byEmail = aGift({ recipient: { email: spellings[nth % 3], employeeNumber: '50' } });
      return workspace.submit(
        [byEmail, aGift({ recipient: { employeeNumber: '51' } }), byEmail],
        nth % 2 ? node : service,
      );
    }),
  );
  const records = await Promise.all(requestIds.map(workspace.finished));
  assert.ok(records.every(({ state }) => state === 'COMPLETED'));
  assert.deepEqual(
    (await workspace.members()).map(({ employeeNumber, recognitions }) => [employeeNumber, recognitions]).sort(),
    [
      ['50', 100],
      ['51', 50],
    ],
  );
  await checkBooks(database, workspace.id, 150);
  await node.stop();
});

test('certificates stand in the order of orderItems, each with its own text, amount and recipient', async () => {
  const workspace = await openWorkspace();
  const gifts = Array.from({ length: 120 }, (_, nth) =>
    aGift({
      message: `gift ${nth}`,
      amount: 1 + nth + (nth % 4) / 4,
      recipient: { employeeNumber: `${(nth * 7) % 11}` },
    }),
  );
  const { certificates, totalElements, id, status } = await workspace.finished(await workspace.submit(gifts));
  assert.equal(totalElements, 120);
  assert.equal(status, 'COMPLETE');
  assert.ok(Number.isInteger(id));
  const numbers = new Map((await workspace.members()).map((member) => [member.id, member.employeeNumber]));
  assert.deepEqual(
    certificates.map(({ message, amount, recipientUser }) => ({
      message,
      amount,
      recipient: { employeeNumber: numbers.get(recipientUser) },
    })),
    gifts,
  );
  assert.equal(new Set(certificates.flatMap((gift) => [gift.longToken, gift.shortToken])).size, 240);
  assert.deepEqual(
    Object.keys(certificates[0] ?? {}).sort(),
    ['amount', 'currency', 'id', 'longToken', 'message', 'recipientUser', 'senderName', 'shortToken'].sort(),
  );
});

test("the sender is the token's name, else the workspace's", async () => {
  for (const [tokenName, sender] of [
    ['HR bot', 'HR bot'],
    [null, 'Globex'],
  ] as const) {
    const workspace = await openWorkspace(service, tokenName, 'Globex');
    const { certificates } = await workspace.finished(await workspace.submit([aGift()]));
    assert.equal(certificates[0]?.senderName, sender);
  }
});

test("each gift is an approved activity of type GIFT and moves the receiver's last recognition", async () => {
  const workspace = await openWorkspace();
  const [ada, bob] = await workspace.give({ email: 'ada@example.com' }, { email: 'bob@example.com' });
  await workspace.give({ email: 'ada@example.com' });
  const activities = await workspace.activities();
  assert.deepEqual(
    activities.map(({ receiver }) => receiver.id),
    [ada, bob, ada],
  );
  for (const { type, status, sender, isPrivate, description, createdOn } of activities) {
    assert.deepEqual(
      { type, status, isPrivate, description },
      {
        type: 'GIFT',
        status: 'APPROVED',
        isPrivate: false,
        description: 'Thank you!',
      },
    );
    assert.equal(sender.self, true);
    assert.match(createdOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
  }
  const day = activities[2]?.createdOn.slice(0, 10);
  assert.deepEqual(
    (await workspace.members()).map(({ recognitions, lastDate, lastType }) => [recognitions, lastDate, lastType]),
    [
      [2, day, 'GIFT'],
      [1, activities[1]?.createdOn.slice(0, 10), 'GIFT'],
    ],
  );
  await checkBooks(database, workspace.id, 3);
});

test('createdOn never goes back, even where the clock does', async () => {
  const workspace = await openWorkspace();
  await database.query(`update activity_counters set latest = '2099-12-31 23:59:59.5Z' where workspace_id = $1`, [
    workspace.id,
  ]);
  await workspace.give({ email: 'ada@example.com' });
  await workspace.give({ email: 'bob@example.com' });
  assert.deepEqual(
    (await workspace.activities()).map(({ createdOn }) => createdOn),
    ['2099-12-31T23:59:59.500000', '2099-12-31T23:59:59.500000'],
  );
  assert.equal((await workspace.members())[0]?.lastDate, '2099-12-31');
});

test('a bad order fails alone, with its reason, and its neighbours in the same batch complete', patience, async () => {
  const api = await startService({ tokenKey, role: 'api' });
  await curse(api.database);
  const workspace = await openWorkspace(api);
  const messages = ['one', 'poison A', 'two', 'three', 'poison B', 'four', 'five'];
  const requestIds: string[] = [];
  for (const message of messages)
    requestIds.push(
      await workspace.submit([
        aGift({ recipient: { employeeNumber: 'all' } }),
        aGift({ message, recipient: { email: `${message.replace(' ', '')}@example.com` } }),
      ]),
    );
  assert.ok((await Promise.all(requestIds.map(workspace.status))).every(({ orderStep }) => orderStep === 'PENDING'));
  // Without their jobs, the worker finds them all at once when it starts: one batch.
  await api.database.query('delete from graphile_worker._private_jobs');
  const worker = await startNode(api, 'worker');

  for (const [nth, requestId] of requestIds.entries()) {
    const record = await workspace.finished(requestId);
    const failed = messages[nth]?.startsWith('poison');
    const [row] = await api.database.query<{ failure: string | null }>(
      'select failure from orders where request_id = $1',
      [requestId],
    );
    assert.equal(row?.failure, failed ? `the gift ${messages[nth]} is cursed` : null);
    const status = await workspace.status(requestId);
    if (failed) {
      const { requestId: _, ...rest } = record;
      const page = { page: 0, size: 1000, totalElements: 0, totalPages: 0 };
      assert.deepEqual(rest, { ...page, id: null, state: 'FAILED', status: 'FAILED', certificates: [] });
      assert.deepEqual([status.requestStatus, status.orderStep, status.orderId], ['FAILED', 'FAILED', null]);
    } else {
      assert.deepEqual([record.state, record.status, record.totalElements], ['COMPLETED', 'COMPLETE', 2]);
      assert.deepEqual([status.requestStatus, status.orderStep, status.orderId], ['COMPLETED', 'COMPLETED', record.id]);
    }
  }
  assert.equal((await workspace.members()).length, 6, 'a failed order adds nobody');
  await checkBooks(api.database, workspace.id, 10);
  await worker.stop();
});

test('a failure of the moment is tried again and completes', patience, async () => {
  const workspace = await openWorkspace();
  const record = await workspace.finished(await workspace.submit([aGift({ message: 'flaky' })]));
  assert.equal(record.state, 'COMPLETED');
  assert.equal((await workspace.status(record.requestId)).requestStatus, 'COMPLETED');
  const [tried] = await database.query<{ attempts: number }>('select last_value as attempts from flaky_attempts');
  assert.ok((tried?.attempts ?? 0) >= 2);
  await checkBooks(database, workspace.id, 1);
});

test('an order that can never be tried to the end does not hold up its neighbours', patience, async () => {
  const api = await startService({ tokenKey, role: 'api' });
  await curse(api.database);
  const workspace = await openWorkspace(api);
  const messages = ['one', 'endless', 'two', 'three'];
  const requestIds: string[] = [];
  for (const message of messages) requestIds.push(await workspace.submit([aGift({ message })]));
  await api.database.query('delete from graphile_worker._private_jobs');
  const worker = await startNode(api, 'worker');
  try {
    for (const [nth, requestId] of requestIds.entries())
      if (messages[nth] !== 'endless') assert.equal((await workspace.finished(requestId)).state, 'COMPLETED');
  } finally {
    await worker.stop();
  }
});

test('a doubled job changes nothing', patience, async () => {
  const workspace = await openWorkspace();
  const requestIds = [
    await workspace.submit([aGift(), aGift()]),
    await workspace.submit([aGift({ message: 'poison' })]),
  ];
  const everything = async () => [
    await Promise.all(requestIds.map(workspace.finished)),
    await workspace.members(),
    await workspace.activities(),
    await database.query('select * from orders where workspace_id = $1 order by request_id', [workspace.id]),
    await database.query('select * from activity_counters where workspace_id = $1', [workspace.id]),
  ];
  const before = await everything();
  const unknown = '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f';
  for (let time = 0; time < 5; time++) await addJob(workspace.id, [...requestIds, ...requestIds, unknown]);
  await emptyQueue();
  assert.deepEqual(await everything(), before);
  await checkBooks(database, workspace.id, 2);
});

test('an order whose job was lost is fulfilled all the same', patience, async () => {
  const api = await startService({ tokenKey, role: 'api' });
  const workspace = await openWorkspace(api);
  const requestIds = await Promise.all(Array.from({ length: 20 }, () => workspace.submit([aGift()])));
  await api.database.query('delete from graphile_worker._private_jobs');
  const worker = await startNode(api, 'worker');
  for (const requestId of requestIds) assert.equal((await workspace.finished(requestId)).state, 'COMPLETED');
  await checkBooks(api.database, workspace.id, 20);
  await worker.stop();
});

test(
  'a request goes from ACCEPTED to COMPLETED or FAILED and never further, whatever happens to its jobs',
  patience,
  async () => {
    const events = { onCompleted() {}, onFailed() {}, onPostponed() {} };
    const fulfilment = new Fulfilment({ database, keys: parseKeys(tokenKey), checkSchema, events });
    const submit = fc.record({ do: fc.constant('submit' as const), poison: fc.boolean(), to: fc.nat(2) });
    const other = fc.record({ do: fc.constantFrom('double' as const, 'lose' as const, 'search' as const) });
    const steps = fc.array(fc.oneof({ weight: 2, arbitrary: submit }, { weight: 1, arbitrary: other }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (plan, together) => {
        const workspace: Workspace = await openWorkspace();
        const orders: { requestId: string; poison: boolean; seen: string[] }[] = [];
        const look = async () => {
          for (const { requestId, seen } of orders) {
            const { requestStatus, orderStep, orderId } = await workspace.status(requestId);
            const now = `${requestStatus} ${orderStep} ${orderId === null ? null : 'id'}`;
            if (seen.at(-1) !== now) seen.push(now);
          }
        };
        const search = async () => {
          await wakeForgotten(database, fulfilment, true);
          await fulfilment.idle();
        };
        const take = async (step: (typeof plan)[number]) => {
          if (step.do === 'submit') {
            const message = step.poison ? 'poison' : 'fine';
            const requestId = await workspace.submit([aGift({ message, recipient: { employeeNumber: `${step.to}` } })]);
            orders.push({ requestId, poison: step.poison, seen: ['ACCEPTED PENDING null'] });
          } else if (step.do === 'double')
            await addJob(
              workspace.id,
              orders.map(({ requestId }) => requestId),
            );
          else if (step.do === 'lose')
            await database.query('delete from graphile_worker._private_jobs where locked_at is null');
          else await search();
        };
        if (together) await Promise.all(plan.map(take));
        else
          for (const step of plan) {
            await take(step);
            await look();
          }
        await look();
        await search();
        await look();
        await addJob(
          workspace.id,
          orders.map(({ requestId }) => requestId),
        );
        await search();
        await emptyQueue();
        await look();
        for (const { poison, seen } of orders)
          assert.deepEqual(seen, ['ACCEPTED PENDING null', poison ? 'FAILED FAILED null' : 'COMPLETED COMPLETED id']);
      }),
      { numRuns: 15 },
    );
  },
);

test('two nodes with shared recipients under concurrent orders keep the books exact', patience, async () => {
  const node = await startNode(service);
  const workspace = await openWorkspace();
  const people = Array.from({ length: 6 }, (_, nth) =>
    nth % 2 ? { employeeNumber: `${nth}` } : { email: `p${nth}@example.com`, employeeNumber: `${nth}` },
  );
  const submitter = async (nth: number) => {
    const requestIds: string[] = [];
    for (let order = 0; order < 12; order++) {
      const gifts = Array.from({ length: 1 + ((nth + order) % 4) }, (_, gift) =>
        aGift({ recipient: people[(nth * 5 + order * 3 + gift) % people.length] }),
      );
      requestIds.push(await workspace.submit(gifts, (nth + order) % 2 ? node : service));
    }
    return requestIds;
  };
  const requestIds = (await Promise.all(Array.from({ length: 8 }, (_, nth) => submitter(nth)))).flat();
  const records = await Promise.all(requestIds.map(workspace.finished));
  assert.ok(records.every(({ state }) => state === 'COMPLETED'));
  assert.equal(new Set(records.map(({ id }) => id)).size, requestIds.length);
  assert.deepEqual(
    (await workspace.members()).map(({ employeeNumber }) => employeeNumber).sort(),
    people.map(({ employeeNumber }) => employeeNumber),
  );
  await checkBooks(
    database,
    workspace.id,
    records.reduce((sum, { totalElements }) => sum + totalElements, 0),
  );
  await node.stop();
});
