import { readCompanyGrant } from '../../company/access/grant-rows.ts';
import { addIntegration } from '../../company/directory/members.ts';
import { inWorkspace, lockWorkspace } from '../../company/workspaces/lock.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { ShoutoutRequest } from '../../ground/contract/shoutout.ts';
import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { giftOccasionOf } from '../../ground/values/gift-occasion.ts';
import { ruleRejects } from '../approvals/judge.ts';
import { numberOfShoutout } from '../recognition/shoutout-ids.ts';
import { keyOfBatch } from './askers.ts';
import type { Engine, OpenBatch } from './engine.ts';
import { type Outcome, settleRows, splitBatch, turnIntoShoutout } from './settle.ts';

/**
 * Sends a batch through the same gate as every order, and notes what came of it. The row of the batch is locked meanwhile, so that no other worker sends
 * or divides it. After a kill it is sent again with the same key: it is stored once. Returns false if another worker has it.
 */
export function sendBatch(engine: Engine, workspaceId: number, id: string): Promise<boolean> {
  return engine.database.transaction(async (tx) => {
    const batch = await queryOptional<OpenBatch>(tx, batchSql, [workspaceId, id]);
    if (!batch) return false;
    const outcome = await deliver(engine, workspaceId, batch);
    const moment = await lockWorkspace(tx, workspaceId);
    if (outcome.is === 'REFUSED' && batch.rows.length > 1) await splitBatch(tx, workspaceId, batch, moment);
    else if (outcome.is === 'REFUSED' && needsMessage(batch, outcome))
      await turnIntoShoutout(tx, workspaceId, batch, outcome.detail, moment);
    else await settleRows(tx, workspaceId, batch, outcome, moment);
    return true;
  });
}

/** Whether the message goes out without the gift. One that went out before is not repeated. */
function needsMessage({ kind, terms, rows: [row] }: OpenBatch, { reason }: Outcome & { is: 'REFUSED' }): boolean {
  return kind === 'ORDER' && reason === 'NO_MONEY' && terms.ifShort === 'MESSAGE' && !row?.hasMessage;
}

const batchSql = `
  select b.id, b.automation_id as "automationId", a.terms, b.kind, b.body, b.budget_id as "budgetId",
         (select json_agg(json_build_object('id', o.id, 'isShort', o.reason is not distinct from 'NO_MONEY',
                                            'hasMessage', o.shoutout_number is not null) order by o.due_at, o.id)
            from occurrences o
           where o.workspace_id = $1 and o.batch = b.id and o.state = 'SENDING') as rows
    from automation_batches b
    join automations a on a.workspace_id = $1 and a.id = b.automation_id
   where b.workspace_id = $1
     and b.id = $2
     for update of b skip locked`;

async function deliver(engine: Engine, workspaceId: number, batch: OpenBatch): Promise<Outcome> {
  const { automationId, terms, kind, body, budgetId } = batch;
  const memberId = await companyMember(engine.database, workspaceId);
  const workspace = await readCompanyGrant(engine.database, workspaceId, memberId);
  if (!workspace) throw new Error(`workspace ${workspaceId} has no grant for its automations`);
  const actor = { is: 'AUTOMATION' as const, id: automationId, name: terms.name };
  const idempotencyKey = keyOfBatch(batch.id);
  const caller = { tokenId: automationId, workspace, idempotencyKey };
  try {
    if (kind === 'SHOUTOUT') {
      const { record } = await engine.shoutouts.give({ ...caller, shoutout: body as ShoutoutRequest });
      const shoutoutNumber = await numberOfShoutout(engine.database, workspaceId, record.id);
      return { is: 'SENT', requestId: null, shoutoutNumber };
    }
    const order = body as OrderRequest;
    if (budgetId !== null) await checkBudget(engine.database, workspaceId, budgetId, order.currency, idempotencyKey);
    const occasion = giftOccasionOf(terms.trigger);
    const submission = { ...caller, actor, customerRequestId: null, order, budgetId, occasion };
    const { record } = await engine.acceptance.accept(submission);
    return { is: 'SENT', requestId: record.requestId, shoutoutNumber: null };
  } catch (error) {
    return refusalOf(error);
  }
}

/** What is refused now would be refused again. Anything else is tried again later, with the same key. */
function refusalOf(error: unknown): Outcome {
  const isFinal = error instanceof Failure && ['overBudget', 'invalid', 'forbidden', 'conflict'].includes(error.kind);
  if (!isFinal) throw error;
  const isShort = error.kind === 'overBudget' && error.reason !== ruleRejects;
  return { is: 'REFUSED', reason: isShort ? 'NO_MONEY' : 'REJECTED', detail: error.problem ?? problemOf(error) };
}

/** What is wrong with an order, for people who know nothing of its fields. */
function problemOf({ faults: [fault], message }: Failure): string {
  return fault && /^orderItems\[\d+\]\.recipient$/.test(fault.path) ? `The person ${fault.problem}` : message;
}

/** An order never draws on another budget in silence. One that was accepted before is not asked again. */
async function checkBudget(
  on: Queryable,
  workspaceId: number,
  budgetId: number,
  currency: string,
  key: string,
): Promise<void> {
  const found = await on.query(
    `select from budgets where workspace_id = $1 and id = $2 and currency = $3 and closed_at is null
      union all
     select from order_requests where workspace_id = $1 and idempotency_key = $4`,
    [workspaceId, budgetId, currency, key],
  );
  if (found.length === 0)
    throw new Failure('overBudget', 'The budget of the automation is closed: choose another one.', {
      problem: 'The budget of the automation is closed',
    });
}

/** The member that all automations of a workspace act as, added when it is first needed. */
async function companyMember(database: Database, workspaceId: number): Promise<number> {
  const known = await queryOne<{ memberId: number | null }>(database, memberSql, [workspaceId]);
  if (known.memberId !== null) return known.memberId;
  return inWorkspace(database, workspaceId, async (tx) => {
    const { memberId, name } = await queryOne<{ memberId: number | null; name: string }>(tx, memberSql, [workspaceId]);
    if (memberId !== null) return memberId;
    const added = await addIntegration(tx, workspaceId, name);
    await tx.query('update automation_turns set member_id = $2 where workspace_id = $1', [workspaceId, added]);
    return added;
  });
}

const memberSql = `
  select t.member_id as "memberId", w.name
    from automation_turns t
    join workspaces w on w.id = t.workspace_id
   where t.workspace_id = $1`;
