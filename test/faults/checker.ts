import { isDeepStrictEqual } from 'node:util';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/ground/contract/report.ts';
import { readHistories } from '../../src/ground/database/history.ts';
import { readWrongs } from '../support/books.ts';
import { within } from '../support/eventually.ts';
import type { Client } from './client.ts';
import { inParallel } from './in-parallel.ts';
import type { Attempt, Journal } from './journal.ts';
import { identityOf, type Order } from './orders.ts';
import { comparePraises } from './praise.ts';
import type { Rig } from './rig.ts';
import { compareSpending } from './spending.ts';

interface Stored {
  requestId: string;
  key: string;
  body: Order;
  orderId: number | null;
  failure: string | null;
  finished: boolean;
}

const finishedWithinMs = 40_000;
const readers = 16;

/** Compares all answers that clients got with the database and with what the API answers now. */
export async function check(rig: Rig, client: Client): Promise<void> {
  const { journal } = client;
  journal.rules.mayBeLost = false;
  rig.reportEnds(journal);
  await within(finishedWithinMs * journal.patience, async () => (await rig.pending().catch(() => -1)) === 0, 100);
  const stored = await readStored(rig, client.workspaceId);
  compareWithJournal(journal, stored);
  for (const sentence of await readWrongs(rig.database)) journal.violated(sentence);
  await compareMembers(rig, client, stored, await comparePraises(rig, client));
  await compareRecords(rig, client, stored);
  await compareReports(rig, client);
  await compareSpending(rig, client);
  const { length } = await readHistories(rig.database);
  journal.require(length === journal.histories, `The database has ${length} histories and not ${journal.histories}.`);
  // Read again after some time: final states must not have changed.
  await inParallel(stored, readers, ({ requestId }) => client.status(requestId));
}

/** Orders of the workspace in the client's journal. Other workspaces are checked by the invariants only. */
function readStored(rig: Rig, workspaceId: number): Promise<Stored[]> {
  return rig.database.query<Stored>(
    `select r.request_id as "requestId", r.idempotency_key as key, r.body, o.id as "orderId", o.failure,
            o.request_id is not null as finished
       from order_requests r
       left join orders o using (workspace_id, request_id)
      where workspace_id = $1`,
    [workspaceId],
  );
}

function compareWithJournal(journal: Journal, stored: Stored[]): void {
  const byKey = new Map(stored.map((order) => [order.key, order]));
  const sent = Map.groupBy(journal.attempts, ({ key }) => key);
  for (const [key, attempts] of sent) compareKey(journal, key, attempts, byKey.get(key));
  for (const { key, requestId } of stored)
    if (!sent.has(key)) journal.violated(`Order ${requestId} has the key ${key}, which nobody has sent.`);
  for (const order of stored) compareOutcome(journal, order);
}

function compareKey(journal: Journal, key: string, attempts: Attempt[], stored: Stored | undefined): void {
  const accepted = attempts.filter(({ requestId }) => requestId !== null);
  const requestIds = new Set(accepted.map(({ requestId }) => requestId));
  if (requestIds.size > 1) journal.violated(`Key ${key} was answered with ${requestIds.size} different orders.`);
  const fresh = accepted.filter(({ answer }) => answer?.replayed === false);
  if (fresh.length > 1) journal.violated(`Key ${key} was answered ${fresh.length} times as if it were new.`);
  if (!stored) {
    if (accepted.length > 0) journal.violated(`Key ${key} was answered 201 and there is no order.`);
    return;
  }
  if (accepted.length > 0 && !requestIds.has(stored.requestId))
    journal.violated(`Key ${key} was answered with an order that is not the stored one.`);
  const isSame = ({ order }: Attempt) => isDeepStrictEqual(order, stored.body);
  if (!attempts.some(isSame) || !accepted.every(isSame))
    journal.violated(`Key ${key} is stored with another body than was sent.`);
}

function compareOutcome(journal: Journal, { requestId, body, finished, failure }: Stored): void {
  const expected = journal.failureOf(body);
  if (!finished) journal.violated(`Order ${requestId} was accepted and is still not finished.`);
  else if (expected === null && failure !== null) journal.violated(`Order ${requestId} has failed: ${failure}.`);
  else if (expected !== null && failure !== expected)
    journal.violated(`Order ${requestId} had to fail with "${expected}", and has "${failure}".`);
}

/** Checks that the members are the people of imports, completed orders and shoutouts, with the right number of recognitions. */
async function compareMembers(
  rig: Rig,
  client: Client,
  stored: Stored[],
  praises: { identity: string; counts: boolean }[],
): Promise<void> {
  const { journal } = client;
  const expected = new Map<string, number>();
  const expect = (identity: string, recognitions: number) => {
    const who = journal.whoIs(identity);
    expected.set(who, (expected.get(who) ?? 0) + recognitions);
  };
  for (const identity of journal.imported) expect(identity, 0);
  for (const { body, orderId } of stored)
    if (orderId !== null) for (const { recipient } of body.orderItems) expect(identityOf(recipient), 1);
  for (const { identity, counts } of praises) expect(identity, Number(counts));
  const members = (await readMembers(rig, client)).filter(({ isMerged }) => !isMerged);
  if (members.length !== expected.size)
    journal.violated(`There are ${members.length} members for ${expected.size} recipients.`);
  const miscounted = members.filter(({ identity, recognitions }) => expected.get(identity) !== recognitions);
  if (miscounted.length > 0)
    journal.violated(
      `${miscounted.length} members have another total than the gifts and shoutouts that were meant for them.`,
    );
}

interface CheckedMember {
  id: number;
  /** Merged records have the identity of the surviving one. */
  isMerged: boolean;
  identity: string;
  recognitions: number;
}

async function readMembers(rig: Rig, { journal, workspaceId }: Client): Promise<CheckedMember[]> {
  const rows = await rig.database.query<{
    id: number;
    isMerged: boolean;
    email: string | null;
    employeeNumber: string | null;
    recognitions: number;
  }>(
    `select m.id, m.merged_into is not null as "isMerged", p.email, p.employee_number as "employeeNumber",
            p.recognition_count as recognitions
       from members m
       join members p on p.workspace_id = m.workspace_id and p.id = coalesce(m.merged_into, m.id)
      where m.workspace_id = $1
        and not m.is_integration`,
    [workspaceId],
  );
  return rows.map(({ id, isMerged, email, employeeNumber, recognitions }) => ({
    id,
    isMerged,
    recognitions,
    identity: journal.whoIs(identityOf({ ...(email && { email }), ...(employeeNumber && { employeeNumber }) })),
  }));
}

/** Checks each order in the API: its state, its certificates in the order of its gifts, and that tokens are unique. */
async function compareRecords(rig: Rig, client: Client, stored: Stored[]): Promise<void> {
  const { journal } = client;
  // A certificate keeps the id of the record that it was issued to.
  const people = new Map((await readMembers(rig, client)).map(({ id, identity }) => [id, identity]));
  const longTokens = new Set<string>();
  const shortTokens = new Set<string>();
  let gifts = 0;
  await inParallel(stored, readers, async (order) => {
    const { requestId } = order;
    const record = await client.read<OrderRecord>(`/api/v1/orders/${requestId}?size=1000`);
    if (!record) return journal.violated(`Order ${requestId} was accepted and cannot be found.`);
    compareRecord(journal, record, order, people);
    for (const { longToken, shortToken } of record.certificates) {
      gifts++;
      longTokens.add(longToken);
      shortTokens.add(shortToken);
    }
  });
  journal.require(longTokens.size === gifts, `${gifts} gifts have only ${longTokens.size} different long tokens.`);
  journal.require(shortTokens.size === gifts, `${gifts} gifts have only ${shortTokens.size} different short tokens.`);
}

function compareRecord(journal: Journal, record: OrderRecord, order: Stored, people: Map<number, string>): void {
  const { requestId, body, orderId, finished } = order;
  const state = orderId !== null ? 'COMPLETED' : finished ? 'FAILED' : 'PENDING';
  if (record.state !== state || record.id !== orderId)
    journal.violated(
      `Order ${requestId} is ${record.state} (${record.id}) to readers and ${state} (${orderId}) in the database.`,
    );
  const issued = record.certificates.map(({ currency, amount, message, recipientUser }) => ({
    currency,
    amount,
    message,
    recipient: people.get(recipientUser),
  }));
  const ordered = body.orderItems.map(({ amount, message, recipient }) => ({
    currency: body.currency,
    amount,
    message,
    recipient: journal.whoIs(identityOf(recipient)),
  }));
  if (!isDeepStrictEqual(issued, orderId === null ? [] : ordered))
    journal.violated(`The certificates of order ${requestId} are not the gifts that were ordered.`);
  if (record.totalElements !== issued.length)
    journal.violated(`Order ${requestId} has ${issued.length} certificates and says ${record.totalElements}.`);
}

async function compareReports(rig: Rig, client: Client): Promise<void> {
  const [held] = await rig.database.query<{ activities: number; recognized: number }>(
    `select (select count(*) from activities where workspace_id = $1 and status <> 'DECLINED') as activities,
            (select count(*) from members
              where workspace_id = $1 and recognition_count > 0 and left_at is null) as recognized`,
    [client.workspaceId],
  );
  const activity = await client.read<TeamActivityPage>('/api/v1/reports/teams/activity?size=1');
  const recognized = await client.read<LastRecognizedPage>('/api/v1/reports/members/last-recognized?size=1');
  const told = { activities: activity?.totalElements, recognized: recognized?.totalElements };
  if (!isDeepStrictEqual(told, held))
    client.journal.violated(`The reports say ${JSON.stringify(told)} where the database has ${JSON.stringify(held)}.`);
}
