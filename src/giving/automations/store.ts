import { survivorOf } from '../../company/directory/who.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { OccurrenceReason, OccurrenceState } from '../../ground/contract/occurrence.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import type { EarlierOccurrence } from './once.ts';

/** An automation that is on. */
export interface ActiveAutomation {
  id: number;
  terms: AutomationTerms;
  /** In milliseconds: it does nothing for what was due before. */
  since: number;
}

/** The automations of a workspace that are on, while they are not paused as a whole. `id`: only this one. */
export function readActive(on: Queryable, workspaceId: number, id: number | null = null): Promise<ActiveAutomation[]> {
  return on.query<ActiveAutomation>(
    `select a.id, a.terms, (extract(epoch from greatest(a.on_since, t.resumed_at)) * 1000)::float8 as since
       from automations a
       join automation_turns t using (workspace_id)
      where a.workspace_id = $1
        and ($2::bigint is null or a.id = $2)
        and a.state = 'ON'
        and a.deleted_at is null
        and not t.is_paused
      order by a.id`,
    [workspaceId, id],
  );
}

export interface KnownRow extends EarlierOccurrence {
  id: number;
  /** The person that it counts for now, and the record that it was written for. */
  memberId: number;
  recordId: number;
}

/** What an automation has done, or has asked for, for these people and the records that were merged into them. */
export async function readRowsOf(
  on: Queryable,
  workspaceId: number,
  automationId: number,
  memberIds: readonly number[],
): Promise<Map<number, KnownRow[]>> {
  const rows = await on.query<KnownRow>(
    `select o.id, ${survivorOf('m')} as "memberId", o.member_id as "recordId", o.for_day as "forDay", o.years, o.state, o.reason
       from members m
       join occurrences o on o.workspace_id = m.workspace_id and o.automation_id = $2 and o.member_id = m.id
      where m.workspace_id = $1
        and (m.id = any($3::bigint[]) or m.merged_into = any($3::bigint[]))
      order by o.id`,
    [workspaceId, automationId, memberIds],
  );
  return Map.groupBy(rows, ({ memberId }) => memberId);
}

export interface NewOccurrence {
  memberId: number;
  forDay: string;
  years: number | null;
  state: OccurrenceState;
  reason: OccurrenceReason | null;
  detail: string | null;
  /** In milliseconds. */
  dueAt: number;
  daysLate: number;
  amount: number | null;
  currency: string | null;
  language: string | null;
  message: string | null;
  askedMemberId: number | null;
  isByHand: boolean;
  /** The user or the token that lets it go out; absent: its day has come. */
  requestedBy?: number | null;
}

export interface StoredOccurrence {
  id: number;
  memberId: number;
  forDay: string;
  state: OccurrenceState;
  reason: OccurrenceReason | null;
  daysLate: number;
}

/** Whether the row was not there before. */
type Written = StoredOccurrence & { isNew: boolean };

/**
 * Adds rows. One that a manager was asked about changes and keeps its line; any other that is there for the same person and day stays as it is. Returns
 * those that were written.
 */
export async function addOccurrences(
  tx: Queryable,
  workspaceId: number,
  automationId: number,
  moment: string,
  added: readonly NewOccurrence[],
): Promise<Written[]> {
  if (added.length === 0) return [];
  const ids = await takeIds(tx, 'occurrences', added.length);
  const rows = added.map((one, nth) => ({ ...one, id: ids[nth], dueAt: new Date(one.dueAt).toISOString() }));
  return tx.query<Written>(addSql, [workspaceId, automationId, moment, JSON.stringify(rows), ids]);
}

const addSql = `
  insert into occurrences as o (workspace_id, id, automation_id, member_id, for_day, years, state, reason, detail, due_at, days_late,
                                amount, currency, language, message, asked_member_id, is_by_hand, requested_by, at)
  select $1, id, $2, "memberId", "forDay", years, state, reason, detail, "dueAt", "daysLate",
         amount, currency, language, message, "askedMemberId", "isByHand", "requestedBy", $3
    from jsonb_to_recordset($4::jsonb)
           as n (id bigint, "memberId" bigint, "forDay" date, years int, state text, reason text, detail text, "dueAt" timestamptz,
                 "daysLate" int, amount numeric, currency text, language text, message text, "askedMemberId" bigint, "isByHand" boolean,
                 "requestedBy" bigint)
  on conflict (workspace_id, automation_id, member_id, for_day) do update
     set years = excluded.years, state = excluded.state, reason = excluded.reason, detail = excluded.detail, due_at = excluded.due_at,
         days_late = excluded.days_late, amount = excluded.amount, currency = excluded.currency, language = excluded.language,
         message = excluded.message, asked_member_id = coalesce(excluded.asked_member_id, o.asked_member_id),
         is_by_hand = excluded.is_by_hand, requested_by = excluded.requested_by, at = excluded.at
   where o.state = 'ASKED'
     and (excluded.state <> 'ASKED'
          or (o.due_at, o.asked_member_id, o.amount, o.message) is distinct from
             (excluded.due_at, excluded.asked_member_id, excluded.amount, excluded.message))
  returning o.id, o.id = any($5::bigint[]) as "isNew", o.member_id as "memberId", o.for_day as "forDay", o.state, o.reason, o.days_late as "daysLate"`;
