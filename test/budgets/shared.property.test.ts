import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { addMembers, updateMembers } from '../../src/company/directory/save.ts';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { advanceClock, readClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace, lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { beginDuePeriods } from '../../src/giving/budgets/allowances.ts';
import { addBudget, changeBudget } from '../../src/giving/budgets/manage.ts';
import { cancel } from '../../src/giving/delivery/repairs.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { createSteps } from '../../src/steps.ts';
import { balancesOf, checkLedger } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import fc from '../support/fast-check.ts';
import { createGrant } from '../support/grant.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { runs } from '../support/runs.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 6, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());
const keys = parseKeys('a key that is long enough for a test');
const steps = createSteps({
  metrics: createMetrics(),
  log: pino({ level: 'silent' }),
  mailsGifts: false,
  rush: new Rush(),
});
const fulfilment = new Fulfilment({ database, keys, checkSchema, steps: steps.fulfil, onPostponed() {} });
cleanUp(() => fulfilment.stop());
const nodes = [new Acceptance(database, steps.accept), new Acceptance(database, steps.accept)];

const allowance = 30;
const zones = ['Europe/Berlin', 'America/Santiago', 'Pacific/Auckland', 'UTC'];
const departments = ['Sales', 'SALES', 'Support', ' ', 'Legal'];
const cents = fc.integer({ min: 100, max: 2_500 }).map((amount) => amount / 100);
const who = fc.nat({ max: 1 });
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('order'), who, amount: cents }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), who, to: fc.constantFrom(...departments) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel'), gift: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass'), days: fc.integer({ min: 1, max: 70 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cap'), book: fc.nat({ max: 2 }), amount: fc.option(cents) }) },
);
type Move = {
  do: string;
  who: number;
  amount: number | null;
  to: string;
  gift: number;
  days: number;
  book: number;
};

interface Book {
  id: number;
  available: number;
  issued: number;
  lapses: boolean;
  cap: number | null;
  shares: Map<string, number>;
}

const unitsOf = (amount: number) => Math.round(amount * 100);

/** Two people who send, a budget of Sales that lapses, one of Support that stays, and the workspace's. Each has a monthly allowance. */
async function open(timeZone: string) {
  const grant = { ...(await createGrant(database)), hasBudgets: true };
  const { workspaceId } = grant;
  await database.query('update workspaces set time_zone = $2 where id = $1', [workspaceId, timeZone]);
  const members = await inWorkspace(database, workspaceId, (tx) =>
    addMembers(tx, workspaceId, [{ firstName: 'Ada' }, { firstName: 'Bo' }]),
  );
  const books: Book[] = [];
  for (const owner of [{ department: 'Sales', lapses: 'MONTH' as const }, { department: 'Support' }, {}]) {
    const terms = { currency: 'CAD', allowance: { amount: allowance, every: 'MONTH' as const }, ...owner };
    const { id } = await database.transaction((tx) => addBudget(tx, atTheCommandLine, workspaceId, terms));
    books.push({
      id,
      available: unitsOf(allowance),
      issued: 0,
      lapses: 'lapses' in owner,
      cap: null,
      shares: new Map(),
    });
  }
  return { grant, workspaceId, members, books, at: ['Legal', 'Legal'], gifts: [] as Gift[], timeZone };
}
type World = Awaited<ReturnType<typeof open>>;

interface Gift {
  id: number;
  book: Book;
  share: string;
  amount: number;
  isCancelled: boolean;
}

async function monthOf({ workspaceId, timeZone }: World): Promise<string> {
  const { now } = await readClock(database, workspaceId);
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).format(now);
}

async function order(world: World, { who, amount }: Move, nth: number): Promise<void> {
  const { grant, workspaceId, members, books, at, gifts } = world;
  const book = books[['sales', 'support'].indexOf((at[who] as string).toLowerCase())] ?? (books[2] as Book);
  const share = `${who} ${await monthOf(world)}`;
  const cost = unitsOf(amount as number);
  const drawn = book.shares.get(share) ?? 0;
  const fits = cost <= book.available && (book.cap === null || drawn + cost <= book.cap);
  const submission = {
    tokenId: 1,
    workspace: { ...grant, memberId: members[who] as number },
    customerRequestId: null,
    idempotencyKey: null,
    order: anOrder({ orderItems: [aGift({ amount })] }) as never,
  };
  const accepted = await (nodes[nth % 2] as Acceptance).accept(submission).then(
    ({ record }) => record.requestId,
    (error) => (error.kind === 'overBudget' ? null : Promise.reject(error)),
  );
  assert.equal(accepted !== null, fits, JSON.stringify({ who, amount, book, share }));
  if (accepted === null) return;
  fulfilment.wake(workspaceId);
  await fulfilment.idle();
  const [issued] = await database.query<{ id: number }>(
    'select id from certificates where workspace_id = $1 and request_id = $2',
    [workspaceId, accepted],
  );
  book.available -= cost;
  book.issued += cost;
  // Orders of a time without a cap are in no share.
  if (book.cap !== null) book.shares.set(share, drawn + cost);
  gifts.push({
    id: issued?.id as number,
    book,
    share: book.cap === null ? '' : share,
    amount: cost,
    isCancelled: false,
  });
}

async function pass(world: World, days: number): Promise<void> {
  const { workspaceId, books } = world;
  const before = await monthOf(world);
  await database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await advanceClock(tx, workspaceId, days * 86_400);
  });
  await Promise.all([beginDuePeriods(database), beginDuePeriods(database)]);
  const count = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
  const passed = count(await monthOf(world)) - count(before);
  for (const book of books)
    for (let nth = 0; nth < passed; nth++) book.available = (book.lapses ? 0 : book.available) + unitsOf(allowance);
}

async function play(world: World, step: Move, nth: number): Promise<void> {
  const { workspaceId, members, books, at, gifts } = world;
  if (step.do === 'order') return order(world, step, nth);
  if (step.do === 'pass') return pass(world, step.days);
  if (step.do === 'move') {
    at[step.who] = step.to;
    const change = { id: members[step.who] as number, department: step.to };
    await inWorkspace(database, workspaceId, (tx) => updateMembers(tx, workspaceId, [change]));
  }
  if (step.do === 'cap') {
    const book = books[step.book] as Book;
    const change = { personCap: step.amount };
    await database.transaction((tx) => changeBudget(tx, atTheCommandLine, workspaceId, book.id, change));
    book.cap = step.amount === null ? null : unitsOf(step.amount);
  }
  const gift = gifts[step.gift % Math.max(gifts.length, 1)];
  if (step.do !== 'cancel' || !gift || gift.isCancelled) return;
  await cancel({ database, keys, isMailOn: false, actor: atTheCommandLine }, workspaceId, gift.id);
  const { book, share, amount } = gift;
  gift.isCancelled = true;
  book.available += amount;
  book.issued -= amount;
  if (share !== '') book.shares.set(share, (book.shares.get(share) as number) - amount);
}

test('random histories of shared budgets, people who move, caps and months end as a plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones),
      fc.array(move, { minLength: 5, maxLength: 25 }),
      async (zone, moves) => {
        const world = await open(zone);
        for (const [nth, step] of moves.entries()) await play(world, step as Move, nth);
        for (const { id, available, issued } of world.books)
          assert.deepEqual(await balancesOf(database, world.workspaceId, id), [available / 100, 0, issued / 100, 0]);
      },
    ),
    { numRuns: runs(40) },
  );
  await checkLedger(database);
});
