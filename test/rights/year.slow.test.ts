import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { roles } from '../../src/company/access/roles.ts';
import { updateMembers } from '../../src/company/directory/save.ts';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { verifyAudit } from '../../src/company/workspaces/audit-verify.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { moveGifts } from '../../src/giving/gifts/moves.ts';
import { openBackup } from '../../src/ground/backup/format.ts';
import { writeBackup } from '../../src/ground/backup/write.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { requestErasure } from '../../src/insight/rights/erasures.ts';
import { listObstacles } from '../../src/insight/rights/obstacles.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { removeOldIdentities } from '../../src/spending/redemptions/tax-retention.ts';
import { setRule } from '../support/approvals.ts';
import { anAutomation } from '../support/automations.ts';
import {
  askForLine,
  type Caller,
  createAsking,
  createPosting,
  openCallers,
  openManagersPeople,
  orderHeldGift,
} from '../support/callers.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { operationsOf, readDocument } from '../support/openapi.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { claim, offerSpendingOption, readGift, spend } from '../support/redemptions.ts';
import { type Ids, readIds, requestOf } from '../support/requests.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { alwaysKeptTables, findTraces, keptTables } from '../support/traces.ts';

// A hundred people of a company with a year of everything are erased. Nothing names them afterwards: no row, dump, response, file, metric or line of the log.

const here = 1;
const tokenKey = 'k'.repeat(32);
const node = await startService({ demo: true, mailServer: 'outbox', tokenKey });
const { database } = node;
const other = await startService({ mailServer: 'outbox', tokenKey, database });
const elsewhere = await node.addWorkspace({ name: 'Elsewhere' });
await openManagersPeople(node, here);
const { full, sessions } = await openCallers(node, here, elsewhere);
const [ask, askOther] = [createAsking(node), createAsking(other)];
const post = createPosting(ask);
const document = await readDocument();

interface Person {
  id: number;
  nth: number;
  email: string;
  firstName: string;
  lastName: string;
  employeeNumber: string;
}

/** People with new names, which stand nowhere else. */
async function rename(): Promise<Person[]> {
  const rows = await database.query<{ id: number }>(
    `select id from members m where workspace_id = $1 and not is_integration and merged_into is null and left_at is null
        and not exists (select from user_roles r where r.workspace_id = m.workspace_id and r.member_id = m.id)
      order by id limit 100`,
    [here],
  );
  const people = rows.map(({ id }, nth) => ({
    id,
    nth,
    email: `vornaqu.${nth}@example.org`,
    firstName: `Vornaqu${nth}x`,
    lastName: `Zyqulo${nth}x`,
    employeeNumber: `ZYQULO-${nth}`,
  }));
  await inWorkspace(database, here, (tx) =>
    updateMembers(
      tx,
      here,
      people.map(({ nth, ...person }) => ({ ...person, phone: `+1 416 777 ${1000 + nth}`, birthday: '03-31' })),
    ),
  );
  return people;
}

const people = await rename();
assert.equal(people.length, 100);
const unique = ({ nth }: Person, what: string) => `${what}-qvquux${nth}`;
/** What must be nowhere: parts of all names, addresses, numbers, and of the texts that they wrote and received. */
const texts = ['vornaqu', 'zyqulo', 'qvquux', '416 777'];

/** Where they are before. */
const written = [
  ...['members', 'member_texts', 'users', 'audit_log', 'order_requests', 'orders', 'certificates', 'gift_log'],
  ...['activities', 'shoutouts', 'feed_comments', 'order_decisions', 'order_parties', 'occurrences', 'payroll_lines'],
];

async function liveOneMoreYear(): Promise<void> {
  const order = (orderItems: object[]) => anOrder({ currency: 'CAD', orderItems });
  const { body: sent } = await node.call<{ requestId: string }>('/api/v1/orders', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'a-gift-for-each' },
    ...byFull(),
    body: order(
      people.map((person) => {
        const { email, firstName, lastName } = person;
        return aGift({ recipient: { email, firstName, lastName }, message: unique(person, 'gift') });
      }),
    ),
  });
  await eventually(async () => {
    const { body } = await node.call<{ requestStatus: string }>(`/api/v1/orders/status/${sent.requestId}`, byFull());
    return body.requestStatus === 'COMPLETED';
  });
  for (const person of people)
    await post(full, '/api/v1/shoutouts', { recipient: { email: person.email }, message: unique(person, 'shoutout') });
  for (const person of people.slice(0, 8)) await actAs(person, people[person.nth + 1] as Person);
  const file = `email,employeeNumber,firstName,lastName,location\n${people.map((one) => `${one.email},${one.employeeNumber},${one.firstName},${one.lastName},Lagos`).join('\n')}\n`;
  await ask(full, {
    method: 'POST',
    path: '/api/v1/members/import',
    headers: { 'Content-Type': 'text/csv' },
    body: file,
  });
  await mergeTwin(people[20] as Person);
  await declineAnOrder(people[21] as Person);
  await post(full, '/api/v1/automations', anAutomation());
  const occurrence = await askForLine(node, here, people[22]?.id, people[23]?.id);
  await database.query(`update occurrences set state = 'SENT', message = $2, line = $3 where id = $1`, [
    occurrence,
    unique(people[22] as Person, 'birthday'),
    unique(people[23] as Person, 'line'),
  ]);
  await offerSpendingOption(database, here, 'by-hand', { kind: 'HAND', name: 'Donation' });
  await offerSpendingOption(database, here, 'payroll', { kind: 'PAYROLL', name: 'With the salary' });
}

const byFull = () => ({ token: full.headers.Authorization?.slice('Bearer '.length) as string, workspace: here });

/** What a person does with their own sign-in. */
async function actAs(person: Person, next: Person): Promise<void> {
  const { call } = await signIn(node, {
    role: 'MANAGER',
    email: person.email,
    name: `${person.firstName} ${person.lastName}`,
    workspace: here,
  });
  const to = { method: 'POST', body: { to: [{ memberId: next.id }], message: unique(person, 'note') } };
  const { body: given } = await call<{ id: number }>('/api/v1/feed/posts', to);
  const written = await call(`/api/v1/feed/posts/${given.id}/comments`, {
    method: 'POST',
    body: { text: unique(person, 'comment') },
  });
  assert.ok(written.status < 300, JSON.stringify([given, written.body]));
  await call('/api/v1/orders', {
    method: 'POST',
    body: anOrder({
      currency: 'CAD',
      orderItems: [aGift({ recipient: { email: next.email }, message: unique(person, 'sent') })],
    }),
  });
}

async function mergeTwin({ id, firstName, lastName }: Person): Promise<void> {
  const { text } = await post(full, '/api/v1/members', { email: 'twin.zyqulo@example.org', firstName, lastName });
  await post(full, `/api/v1/members/${JSON.parse(text).id}/merge`, { into: id });
}

/** An order that waits for approval, and is declined with a comment that names the recipient. */
async function declineAnOrder({ email, firstName, lastName }: Person): Promise<void> {
  await setRule(database, here, { name: 'Swiss francs', currency: 'CHF', above: 0 });
  const requestId = await orderHeldGift(node, post, full, { email, firstName, lastName });
  const approver = sessions.get('APPROVER') as Caller;
  const comment = `Too much for ${firstName} ${lastName}.`;
  const { status, text } = await post(approver, '/api/v1/approvals/decisions', {
    requestIds: [requestId],
    decision: 'DECLINED',
    comment,
  });
  assert.equal(status, 200, text);
}

/** Ends what is open: gifts are claimed, thanked for and spent, or cancelled. */
async function endWhatIsOpen(): Promise<void> {
  const open = await database.query<{ id: number; state: string; memberId: number }>(
    `select id, state, member_id as "memberId" from certificates where workspace_id = $1 and member_id = any($2) and state in ('ISSUED', 'CLAIMED', 'PARTLY_REDEEMED')`,
    [here, people.map(({ id }) => id)],
  );
  for (const { id, state, memberId } of open) {
    const person = people.find((one) => one.id === memberId) as Person;
    if (state === 'ISSUED' && id % 3 === 0) {
      await post(full, `/api/v1/gifts/${id}/cancel`, {});
      continue;
    }
    if (state === 'ISSUED') await claim(database, here, id);
    const gift = await readGift(database, here, id);
    const detail = { thanks: unique(person, 'thanks') };
    if (state === 'ISSUED')
      await inWorkspace(database, here, (tx) => moveGifts(tx, here, [{ type: 'THANKED', gift, detail }]));
    await spend(database, here, id, 'payroll');
  }
  const asked = await database.query<{ id: number }>(
    `select id from redemptions where workspace_id = $1 and state = 'REQUESTED'`,
    [here],
  );
  for (const { id } of asked) await post(full, `/api/v1/redemptions/${id}/fulfil`, {});
  const { code, stderr } = await giftwire(['payroll', 'export', '--workspace', String(here)], {
    DATABASE_URL: database.url,
    GIFTWIRE_TOKEN_KEY: tokenKey,
  });
  assert.equal(code, 0, stderr);
}

class Killed extends Error {}

/** A node that is killed at the end of every second batch, before its commit. */
function killed(): Database {
  let nth = 0;
  return Object.assign(Object.create(database), {
    transaction: (work: (tx: Queryable) => Promise<unknown>) =>
      database.transaction(async (tx) => {
        const done = await work(tx);
        if (nth++ % 2 === 0) throw new Killed();
        return done;
      }),
  }) as Database;
}

async function eraseAll(): Promise<void> {
  for (const { id, nth } of people) {
    const obstacles = await listObstacles(database, here, id);
    assert.deepEqual(obstacles, [], `person ${nth}`);
    await database.transaction((tx) => requestErasure(tx, atTheCommandLine, here, id));
  }
  await database.query(`update erasures set due_at = now() where workspace_id = $1`, [here]);
  const dying = killed();
  await eventually(
    async () => {
      await runErasure(dying).catch((error) => assert.ok(error instanceof Killed, error));
      const [left] = await database.query<{ count: number }>(
        `select count(*)::int as count from erasures where workspace_id = $1 and state <> 'DONE'`,
        [here],
      );
      return left?.count === 0;
    },
    Boolean,
    { withinMs: 90_000, everyMs: 1 },
  );
}

/** Totals that name no person. */
async function readTotals(): Promise<unknown[]> {
  const paths = ['coverage?by=department', 'coverage?by=location', 'series?by=month', 'overview'].map(
    (one) => `/api/v1/reports/${one}`,
  );
  return Promise.all(
    [...paths, '/api/v1/balances', '/api/v1/budgets'].map(async (path) => {
      const { attention, ...body } = (await node.call<Record<string, unknown>>(path, byFull())).body;
      return body;
    }),
  );
}

const leak = (text: string) => texts.filter((one) => text.toLowerCase().includes(one.toLowerCase()));

/** Tables of a fresh backup that name them. */
async function readBackup(allowed: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-year-'));
  cleanUp(() => rm(folder, { recursive: true }));
  const { file } = await writeBackup(database, folder, null);
  const { frames } = await openBackup(file, null);
  const found = new Set<string>();
  let table = '';
  for await (const { kind, body } of frames) {
    if (kind === 'table') table = body.name;
    if (kind === 'rows' && !allowed.includes(table) && leak(body.toString()).length > 0) found.add(table);
  }
  return [...found];
}

const callers: [string, Caller][] = [
  ['token', full],
  ...roles.map((role): [string, Caller] => [role, sessions.get(role) as Caller]),
];
const reads = [...operationsOf(document).values()].filter(({ method }) => method === 'GET');
/** What names people for tax law, until its years are over. */
const forTax = (path: string) => /payroll-exports\/\{number\}|tax-log/.test(path);

type OldIds = Ids & { payroll: string };

/** Every operation that reads, as every role, as JSON and as CSV: those whose response or headers name them. */
async function readAll(some: typeof reads, ids: OldIds): Promise<string[]> {
  const seen: string[] = [];
  for (const [nth, operation] of some.entries())
    for (const [who, caller] of callers)
      for (const accept of ['application/json', 'text/csv']) {
        const request = requestOf(document, operation, ids, { query: queryOf(operation.path) });
        const path = request.path.replace(/(?<=payroll-exports\/)\d+/, ids.payroll);
        const asked = { ...request, path, headers: { ...request.headers, Accept: accept } };
        const said = await (nth % 2 ? ask : askOther)(caller, asked, nth);
        const text = `${JSON.stringify(said.headers)}${said.text}`;
        seen.push(...leak(text).map((one) => `${operation.operationId} as ${who}, ${accept}, ${said.status}: ${one}`));
      }
  return seen;
}

/** The tax log of this year, and not that of the example. */
function queryOf(path: string): Record<string, string> {
  return path.includes('tax-log') ? { year: String(new Date().getFullYear()) } : {};
}

/** The ids that an erased person had: of the record, of one that was merged into it, of the account and its sessions, of a gift, an order and a shoutout. */
async function readOldIds(memberId: number, others: OldIds): Promise<OldIds> {
  const [old] = await database.query<{ orders: string; gifts: string; posts: string | null }>(
    `select max(c.request_id::text) as orders, max(c.id)::text as gifts,
            (select max(a.number)::text from activities a where a.workspace_id = $1 and a.receiver_id = $2) as posts
       from certificates c where c.workspace_id = $1 and c.member_id = $2`,
    [here, memberId],
  );
  return {
    ...others,
    members: String(memberId),
    ...old,
    shoutouts: old?.posts ?? '',
    outbox: old?.gifts ?? '',
  } as OldIds;
}

test('nothing names a hundred erased people of a company with a year of everything', async () => {
  await liveOneMoreYear();
  await endWhatIsOpen();
  // Erased people have left. So that the totals can be compared, they leave before.
  for (const { id } of people) await post(full, `/api/v1/members/${id}/leave`, {});
  const before = await readTotals();
  const [account] = await database.query<{ id: string }>(`select id::text from users where email = $1`, [
    people[1]?.email,
  ]);
  const oldUser = account?.id as string;
  const namedBefore = new Set((await findTraces(database, texts)).map(({ table }) => table));
  assert.ok(namedBefore.isSupersetOf(new Set(written)), [...namedBefore].join());
  await eraseAll();
  const linesBefore = node.logLines().length;
  const otherBefore = other.logLines().length;
  const found = (await findTraces(database, texts)).filter(({ table }) => !keptTables.includes(table));
  assert.deepEqual(found.map(({ table, text, row }) => `${table}: ${text}: ${row.slice(0, 400)}`).slice(0, 20), []);
  assert.deepEqual((await verifyLedger(database, { known: [] })).faults, []);
  assert.deepEqual((await verifyAudit(database, here, [])).faults, []);
  assert.deepEqual(await readTotals(), before);

  assert.deepEqual(await readBackup(keptTables), []);

  const exported = await database.query<{ number: string }>(
    'select number::text from payroll_exports where workspace_id = $1',
    [here],
  );
  const latest = { ...(await readIds(database, here)), payroll: exported.at(-1)?.number as string };
  const always = reads.filter(({ path }) => !forTax(path));
  assert.deepEqual((await readAll(always, { ...latest, members: String(people[0]?.id) })).slice(0, 20), []);
  const [twin] = await database.query<{ id: number }>(
    `select id from members where workspace_id = $1 and merged_into = $2`,
    [here, people[20]?.id],
  );
  const byId = always.filter(({ path }) => path.includes('{'));
  for (const id of [people[1]?.id, people[20]?.id, twin?.id, people[22]?.id] as number[])
    assert.deepEqual((await readAll(byId, await readOldIds(id, { ...latest, users: oldUser }))).slice(0, 20), []);

  const files = reads.filter(({ path }) => forTax(path));
  const named = new Set((await readAll(files, latest)).map((one) => one.split(' ')[0]));
  assert.deepEqual([...named].sort(), ['getPayrollExport', 'getTaxLog'], 'until the years of tax law are over');
  await database.query(`update tax_identities set keep_until = current_date - 1 where workspace_id = $1`, [here]);
  assert.ok((await removeOldIdentities(database)) > 50);
  for (const { number } of exported) assert.deepEqual(await readAll(files, { ...latest, payroll: number }), []);
  const kept = (await findTraces(database, texts)).filter(({ table }) => !alwaysKeptTables.includes(table));
  assert.deepEqual(kept.map(({ table, text, row }) => `${table}: ${text}: ${row.slice(0, 400)}`).slice(0, 20), []);
  assert.deepEqual(await readBackup(alwaysKeptTables), []);
  assert.deepEqual((await verifyLedger(database, { known: [] })).faults, []);
  assert.deepEqual(await readTotals(), before);
  for (const { url } of [node, other]) assert.deepEqual(leak(await (await fetch(`${url}/metrics`)).text()), []);
  const lines = [...node.logLines().slice(linesBefore), ...other.logLines().slice(otherBefore)];
  assert.deepEqual(
    lines.map((line) => JSON.stringify(line)).filter((line) => leak(line).length > 0),
    [],
  );
});
