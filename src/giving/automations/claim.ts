import { randomUUID } from 'node:crypto';
import { hasLeft, survivorOf } from '../../company/directory/who.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { ShoutoutRequest } from '../../ground/contract/shoutout.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { readLanguageRegion } from '../../ground/values/language.ts';
import type { Engine } from './engine.ts';
import { tellOccurrences } from './events.ts';
import { type EmailManagers, nudgeManagers } from './managers.ts';
import type { StoredOccurrence } from './store.ts';

/** The most rows of one order. */
const most = 500;

/** An order or a shoutout that goes out, and the rows that it is for, in the order of its gifts. */
export interface NewBatch {
  automationId: number;
  kind: 'ORDER' | 'SHOUTOUT';
  body: OrderRequest | ShoutoutRequest;
  budgetId: number | null;
  occurrenceIds: number[];
}

/** A row that is due, with its person and sender as they are now. */
interface DueRow extends StoredOccurrence {
  automationId: number;
  terms: AutomationTerms;
  amount: number | null;
  currency: string | null;
  language: string | null;
  message: string | null;
  line: string | null;
  email: string | null;
  employeeNumber: string | null;
  ownLanguage: string | null;
  workspaceLanguage: string;
  hiddenDays: string | null;
  senderEmail: string | null;
  senderNumber: string | null;
}

/**
 * Groups what is due into orders and shoutouts, in one transaction: what each of them says is fixed, so that it can be repeated with the same key. The
 * caller holds the workspace's lock. Returns how many rows it has taken.
 */
export async function claimDue(
  tx: Queryable,
  { emailManagers }: Pick<Engine, 'emailManagers'>,
  workspaceId: number,
  moment: string,
): Promise<number> {
  const rows = await tx.query<DueRow>(dueSql, [workspaceId, most]);
  const nudges = rows.filter(({ terms }) => terms.action.is === 'NUDGE');
  if (nudges.length > 0) await sendNudges(tx, emailManagers, workspaceId, moment, nudges);
  const groups = Map.groupBy(
    rows.filter(({ terms }) => terms.action.is !== 'NUDGE'),
    (row) => (isGift(row) ? JSON.stringify([row.automationId, row.currency, senderOf(row)]) : `${row.id}`),
  );
  await addBatches(tx, workspaceId, [...groups.values()].map(batchOf), moment);
  return rows.length;
}

// A row that a person lets go out does so while automations are paused. A person sends as long as they are here, and not to themselves; the company sends in their place.
const dueSql = `
  select o.id, o.automation_id as "automationId", a.terms, o.member_id as "memberId", o.for_day as "forDay", o.state, o.reason,
         o.days_late as "daysLate", o.amount, o.currency, o.language, o.message, o.line,
         m.email, m.employee_number as "employeeNumber",
         m.own_language as "ownLanguage", w.language as "workspaceLanguage", m.hidden_days as "hiddenDays",
         s.email as "senderEmail", s.employee_number as "senderNumber"
    from occurrences o
    join automations a      on a.workspace_id = o.workspace_id and a.id = o.automation_id
    join automation_turns t on t.workspace_id = o.workspace_id
    join workspaces w       on w.id = o.workspace_id
    join members r          on r.workspace_id = o.workspace_id and r.id = o.member_id
    join members m          on m.workspace_id = o.workspace_id and m.id = ${survivorOf('r')}
    left join members named on named.workspace_id = o.workspace_id
                           and named.id = case a.terms #>> '{from,is}' when 'MEMBER' then (a.terms #>> '{from,memberId}')::bigint
                                                                     when 'MANAGER' then m.manager_id end
    left join members s     on s.workspace_id = o.workspace_id and s.id = ${survivorOf('named')} and s.id <> m.id
                           and not ${hasLeft('s')}
   where o.workspace_id = $1
     and o.state = 'DUE'
     and (o.is_by_hand or a.state = 'ON' and a.deleted_at is null and not t.is_paused)
   order by o.due_at, o.id
   limit $2`;

function isGift({ terms, amount }: DueRow): boolean {
  return terms.action.is === 'GIFT' && amount !== null;
}

function senderOf({ terms, senderEmail, senderNumber }: DueRow): OrderRequest['sender'] {
  if (terms.from.is === 'COMPANY' || (senderEmail ?? senderNumber) === null) return undefined;
  return senderEmail === null ? { employeeNumber: senderNumber } : { email: senderEmail };
}

function batchOf(rows: readonly DueRow[]): NewBatch {
  const [first] = rows as readonly [DueRow];
  const { automationId, terms } = first;
  const occurrenceIds = rows.map(({ id }) => id);
  if (!isGift(first)) return { automationId, kind: 'SHOUTOUT', body: shoutoutOf(first), budgetId: null, occurrenceIds };
  const sender = senderOf(first);
  const reasonId = terms.action.reasonId ?? undefined;
  const body = {
    currency: first.currency as string,
    language: first.workspaceLanguage,
    note: terms.name,
    ...(sender && { sender }),
    orderItems: rows.map((row) => ({
      message: wholeMessage(row),
      amount: row.amount as number,
      recipient: recipientOf(row),
      language: regionOf(row),
      ...(reasonId && { reasonId }),
    })),
  };
  return { automationId, kind: 'ORDER', body, budgetId: terms.budgetId, occurrenceIds };
}

/** A shoutout with the same message. A person may not want colleagues to know of the day. */
function shoutoutOf(row: DueRow): ShoutoutRequest {
  const { terms, hiddenDays } = row;
  const sender = senderOf(row);
  const reasonId = terms.action.reasonId ?? undefined;
  return {
    recipient: recipientOf(row),
    message: wholeMessage(row),
    isPrivate: hiddenDays === 'BOTH' || hiddenDays === terms.trigger.is,
    ...(reasonId && { reasonId }),
    ...(sender && { sender }),
  };
}

function recipientOf({ email, employeeNumber }: DueRow) {
  return email === null ? { employeeNumber } : { email };
}

/** The line of the manager comes first. A gift's message has at most 1,000 characters. */
function wholeMessage({ line, message }: DueRow): string {
  const whole = [line, message].filter((part) => part).join('\n\n');
  return [...whole].slice(0, 1_000).join('').trim();
}

/** The language of the message with the region of the person, else with that of the workspace. */
function regionOf({ language, ownLanguage, workspaceLanguage }: DueRow): string {
  const fits = [ownLanguage, workspaceLanguage].find((one) => language !== null && one?.startsWith(language));
  return fits ?? readLanguageRegion(language ?? '') ?? workspaceLanguage;
}

/** Writes batches, and notes in their rows that they are on their way. */
export async function addBatches(
  tx: Queryable,
  workspaceId: number,
  batches: readonly NewBatch[],
  moment: string,
): Promise<void> {
  if (batches.length === 0) return;
  const rows = batches.map(({ occurrenceIds, ...batch }) => ({ ...batch, id: randomUUID(), rows: occurrenceIds }));
  await tx.query(addSql, [workspaceId, JSON.stringify(rows), moment]);
}

const addSql = `
  with added as (
    select id, "automationId", kind, body, "budgetId", rows
      from jsonb_to_recordset($2::jsonb)
             as b (id uuid, "automationId" bigint, kind text, body jsonb, "budgetId" bigint, rows bigint[])
  ),
  batches as (
    insert into automation_batches (workspace_id, id, automation_id, kind, body, budget_id)
    select $1, id, "automationId", kind, body, "budgetId" from added
  )
  update occurrences o
     set state = 'SENDING', batch = added.id, at = $3
    from added
   cross join unnest(added.rows) as one (id)
   where o.workspace_id = $1
     and o.id = one.id`;

/** Managers are asked for a word of thanks. What cannot be asked for is told. */
async function sendNudges(
  tx: Queryable,
  emailManagers: EmailManagers | null,
  workspaceId: number,
  moment: string,
  nudges: readonly DueRow[],
): Promise<void> {
  const occurrenceIds = nudges.map(({ id }) => id);
  const { notDone } = await nudgeManagers(tx, emailManagers, { workspaceId, moment, occurrenceIds });
  for (const [automationId, rows] of Map.groupBy(nudges, (row) => row.automationId)) {
    const told = rows.map(
      (row): StoredOccurrence =>
        notDone.includes(row.id) ? { ...row, state: 'NOT_DONE', reason: 'NO_MANAGER' } : { ...row, state: 'SENT' },
    );
    const { terms } = rows[0] as DueRow;
    await tellOccurrences(tx, workspaceId, moment, { id: automationId, terms }, told);
  }
}
