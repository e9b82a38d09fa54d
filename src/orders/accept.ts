import type { WorkspaceGrant } from '../access/grants.ts';
import type { OrderRequest, OrderRequestStatus } from '../contract/order.ts';
import { Batcher } from '../database/batcher.ts';
import type { Queryable } from '../database/database.ts';
import { unknownEmployeeNumbers } from '../directory/members.ts';
import { knowNobody } from '../directory/naming.ts';
import { takeInAhead } from '../directory/recipients.ts';
import { hasLeft, memberByAddress } from '../directory/who.ts';
import { Failure, invalid, unavailable } from '../errors.ts';
import { mismatch } from '../values/differences.ts';
import { readAhead } from './ahead.ts';
import { queueSql } from './queue.ts';
import { makeRequestId } from './request-id.ts';
import { type StatusRow, statusRecord } from './status.ts';

export interface Submission {
  tokenId: number;
  workspace: WorkspaceGrant;
  customerRequestId: string | null;
  idempotencyKey: string | null;
  order: OrderRequest;
}

export interface Accepted {
  record: OrderRequestStatus;
  replayed: boolean;
}

interface Entry extends Submission {
  requestId: string;
  /** The row as JSON text. All rows of a batch are one parameter of the statement. */
  row: string;
}

const maxBatchBytes = 8 * 1024 * 1024;

/** Accepts orders. Those that wait at the same time are stored, with their wake-up, in one statement and one commit. */
export class Acceptance {
  readonly #database: Queryable;
  readonly #batcher: Batcher<Entry, Accepted | Failure>;

  constructor(database: Queryable, onBatch: (size: number) => void = () => {}) {
    this.#database = database;
    this.#batcher = new Batcher({
      run: (entries) => {
        onBatch(entries.length);
        return acceptAll(database, entries);
      },
      maxItems: 200,
      concurrency: 1,
      maxWaiting: 5_000,
      weigh: (entry) => entry.row.length,
      maxWeight: maxBatchBytes,
      maxWaitingWeight: 8 * maxBatchBytes,
      maxWaitMs: 1_500,
    });
  }

  async accept(submission: Submission): Promise<Accepted> {
    if (submission.workspace.refusesUnknownEmployeeNumbers) await this.#refuseUnknown(submission);
    const requestId = makeRequestId();
    const outcome = await this.#batcher.add({ ...submission, requestId, row: rowText(submission, requestId) });
    if (outcome instanceof Failure) throw outcome;
    return outcome;
  }

  async #refuseUnknown(submission: Submission): Promise<void> {
    const { workspace, order } = submission;
    const unknown = await findUnknown(this.#database, workspace.workspaceId, order);
    const faults = order.orderItems.flatMap(({ recipient }, index) =>
      !recipient.email && recipient.employeeNumber && unknown.has(recipient.employeeNumber)
        ? [{ path: `orderItems[${index}].recipient.employeeNumber`, problem: 'is not known in this workspace' }]
        : [],
    );
    if (faults.length > 0 && !(await this.#isRepeated(submission))) throw invalid(faults);
  }

  /** Whether the request's idempotency key was accepted before: then it gets the same answer as then. */
  async #isRepeated({ workspace, idempotencyKey }: Submission): Promise<boolean> {
    const found = await this.#database.query(
      'select from order_requests where workspace_id = $1 and idempotency_key = $2',
      [workspace.workspaceId, idempotencyKey],
    );
    return found.length > 0;
  }
}

/**
 * The employee numbers that an order names without an e-mail address and that nobody has. A number is taken if a member
 * has it, or if a line of this order, or of an order that waits for fulfilment, names it together with an e-mail address.
 */
async function findUnknown(database: Queryable, workspaceId: number, { orderItems }: OrderRequest) {
  const numbersOf = (lines: typeof orderItems) => lines.flatMap(({ recipient }) => recipient.employeeNumber ?? []);
  const beside = new Set(numbersOf(orderItems.filter(({ recipient }) => recipient.email)));
  const alone = new Set(numbersOf(orderItems.filter(({ recipient }) => !recipient.email))).difference(beside);
  if (alone.size === 0) return alone;
  const known = knowNobody();
  const unknown = async () => {
    const unmet = [...alone].filter((number) => !known.byEmployeeNumber.has(number));
    return unmet.length === 0 ? new Set<string>() : unknownEmployeeNumbers(database, workspaceId, unmet);
  };
  const unmet = await unknown();
  if (unmet.size === 0) return unmet;
  const people = [...unmet].map((employeeNumber) => ({ emailKey: null, employeeNumber }));
  await takeInAhead(database, workspaceId, known, await readAhead(database, workspaceId, people));
  // Asked again, because a waiting order may have been fulfilled since the first look at the members.
  return unknown();
}

function rowText({ tokenId, workspace, customerRequestId, idempotencyKey, order }: Submission, requestId: string) {
  return JSON.stringify({
    workspace_id: workspace.workspaceId,
    request_id: requestId,
    token_id: tokenId,
    sender_id: workspace.memberId,
    sender_name: workspace.senderName,
    customer_request_id: customerRequestId,
    idempotency_key: idempotencyKey,
    currency: order.currency,
    language: order.language ?? workspace.language,
    body: order,
    may_have_left: workspace.acceptsLeavers,
  });
}

// Rows go in sorted by key, so that two batches with the same keys wait for each other and never deadlock; they are
// numbered as pending in the order in which they arrived. Employee numbers of leavers are looked up in an index that holds
// leavers alone.
const acceptSql = `
  with incoming as (
    select *
      from rows from (jsonb_to_recordset($1::jsonb) as (
             workspace_id bigint, request_id uuid, token_id bigint, sender_id bigint, sender_name text,
             customer_request_id text, idempotency_key text, currency text, language text,
             body jsonb, may_have_left boolean)) with ordinality as incoming
  ),
  left_already as (
    select i.request_id, array_agg(item.ordinality - 1)::int[] as positions
      from incoming i
     cross join jsonb_array_elements(i.body -> 'orderItems') with ordinality as item
     cross join lateral (select item.value #>> '{recipient,email}', item.value #>> '{recipient,employeeNumber}')
                as r (email, employee_number)
     where not i.may_have_left
       and case when r.email is not null
                then ${memberByAddress('i.workspace_id', 'r.email', hasLeft('m'))}
                else exists (select from members m
                              where m.workspace_id = i.workspace_id and m.employee_number = r.employee_number
                                and ${hasLeft('m')}) end
     group by i.request_id
  ),
  accepted as (
    insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name,
                                customer_request_id, idempotency_key, currency, language, body)
    select workspace_id, request_id, token_id, sender_id, sender_name,
           customer_request_id, idempotency_key, currency, language, body
      from incoming
     where request_id not in (select request_id from left_already)
     order by workspace_id, idempotency_key
    on conflict (workspace_id, idempotency_key) where idempotency_key is not null do nothing
    returning workspace_id, request_id, jsonb_array_length(body -> 'orderItems') as gifts
  ),
  ${queueSql(`
    select a.workspace_id, a.request_id, a.gifts
      from accepted a
      join incoming i using (request_id)
     order by i.ordinality`)}
  select request_id as "requestId", null as leavers, (select count(*) from wake_up) as "wakeUps" from accepted
   union all
  select request_id, positions, 0 from left_already`;

/** `leavers` has the positions of recipients who have left, if the request was refused for that. */
interface Outcome {
  requestId: string;
  leavers: number[] | null;
}

async function acceptAll(database: Queryable, entries: Entry[]): Promise<(Accepted | Failure)[]> {
  const rows = await database.query<Outcome>(acceptSql, [`[${entries.map(({ row }) => row).join(',')}]`]);
  const outcomes = new Map(rows.map(({ requestId, leavers }) => [requestId, leavers]));
  const others = entries.filter(({ requestId }) => outcomes.get(requestId) !== null);
  const answers = others.length > 0 ? await answerOthers(database, others, outcomes) : new Map();
  return entries.map((entry) => answers.get(entry) ?? { record: statusRecord(pendingRow(entry)), replayed: false });
}

/**
 * Answers the requests that were not stored. A request whose idempotency key was accepted before gets the same answer as
 * then, also if a recipient has left since. Never throws: the other orders of the batch are committed, and their callers must
 * get their 201.
 */
async function answerOthers(
  database: Queryable,
  others: Entry[],
  outcomes: ReadonlyMap<string, number[] | null>,
): Promise<Map<Entry, Accepted | Failure>> {
  const keyed = others.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const originals =
    keyed.length > 0 ? await readOriginals(database, keyed).catch(unavailable) : new Map<string, Original>();
  const answerOf = (entry: Entry) => {
    if (originals instanceof Failure) return originals;
    const original = originals.get(originalKey(entry.workspace.workspaceId, entry.idempotencyKey));
    if (original) return replay(original, entry);
    const leavers = outcomes.get(entry.requestId);
    return leavers ? haveLeft(leavers) : unavailable();
  };
  return new Map(others.map((entry) => [entry, answerOf(entry)]));
}

function haveLeft(positions: number[]): Failure {
  const problem = 'has left the workspace and takes no gifts';
  return invalid(positions.sort((a, b) => a - b).map((at) => ({ path: `orderItems[${at}].recipient`, problem })));
}

function pendingRow({ requestId, customerRequestId }: Entry): StatusRow {
  return { requestId, customerRequestId, orderId: null, finished: false };
}

interface Original extends StatusRow {
  workspaceId: number;
  idempotencyKey: string;
  body: OrderRequest;
}

const originalsSql = `
  select r.workspace_id        as "workspaceId",
         r.idempotency_key     as "idempotencyKey",
         r.body,
         r.request_id          as "requestId",
         r.customer_request_id as "customerRequestId",
         o.id                  as "orderId",
         o.request_id is not null as finished
    from unnest($1::bigint[], $2::text[]) as asked (workspace_id, idempotency_key)
    join order_requests r using (workspace_id, idempotency_key)
    left join orders o using (workspace_id, request_id)
   where r.idempotency_key is not null`;

async function readOriginals(database: Queryable, entries: Entry[]): Promise<Map<string, Original>> {
  const rows = await database.query<Original>(originalsSql, [
    entries.map(({ workspace }) => workspace.workspaceId),
    entries.map(({ idempotencyKey }) => idempotencyKey),
  ]);
  return new Map(rows.map((row) => [originalKey(row.workspaceId, row.idempotencyKey), row]));
}

function originalKey(workspaceId: number, idempotencyKey: string | null): string {
  return `${workspaceId}:${idempotencyKey}`;
}

function replay(original: Original, { order }: Entry): Accepted | Failure {
  const difference = mismatch(original.body, order);
  return difference === null ? { record: statusRecord(original), replayed: true } : new Failure('mismatch', difference);
}
