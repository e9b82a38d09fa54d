import { changePerson } from '../../company/directory/change.ts';
import { survivorOf } from '../../company/directory/who.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';

const days = ['BIRTHDAY', 'ANNIVERSARY'] as const;

/** Whether colleagues are told about the day of a person for which an automation has sent a gift. */
export interface DayNotice {
  day: (typeof days)[number];
  isHidden: boolean;
}

interface GiftOfDay {
  workspaceId: number;
  requestId: string;
  memberId: number;
}

/** Null for a gift that no automation has sent for a birthday or an anniversary. */
export async function readDayNotice(on: Queryable, gift: GiftOfDay): Promise<DayNotice | null> {
  const row = await readRow(on, gift);
  return row && { day: row.day, isHidden: hiddenIn(row).includes(row.day) };
}

/** The person decides about the day of their gift alone. The caller holds the workspace's lock. */
export async function setDayNotice(tx: Queryable, person: Actor, gift: GiftOfDay, isHidden: boolean): Promise<void> {
  const row = await readRow(tx, gift);
  if (!row) return;
  const others = hiddenIn(row).filter((day) => day !== row.day);
  const [first, second] = isHidden ? [...others, row.day] : others;
  await changePerson(tx, person, gift.workspaceId, row.memberId, { hiddenDays: second ? 'BOTH' : (first ?? null) });
}

interface Row {
  memberId: number;
  day: DayNotice['day'];
  hiddenDays: string | null;
}

function hiddenIn({ hiddenDays }: Row): DayNotice['day'][] {
  return days.filter((day) => hiddenDays === 'BOTH' || hiddenDays === day);
}

function readRow(on: Queryable, { workspaceId, requestId, memberId }: GiftOfDay): Promise<Row | null> {
  return queryOptional<Row>(on, noticeSql, [workspaceId, requestId, memberId, days]);
}

const noticeSql = `
  select m.id as "memberId", a.terms #>> '{trigger,is}' as day, m.hidden_days as "hiddenDays"
    from occurrences o
    join automations a  on a.workspace_id = o.workspace_id and a.id = o.automation_id
    join members person on person.workspace_id = o.workspace_id and person.id = o.member_id
    join members m      on m.workspace_id = o.workspace_id and m.id = ${survivorOf('person')}
   where o.workspace_id = $1
     and o.request_id = $2
     and m.id = $3
     and a.terms #>> '{trigger,is}' = any($4::text[])
   limit 1`;
