import { isPerson } from '../../company/directory/who.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { addDays, daysBetween } from '../../ground/values/calendar.ts';
import type { PersonDates } from './occasions.ts';
import { longestMove } from './working-days.ts';

/** Who may have an occasion: as little as tells it. */
export interface Candidate extends PersonDates {
  id: number;
  country: string | null;
  /** Days around the window for which the automation has a row, other than one that a manager was asked about. */
  done: string[];
}

/** Of whom a look reads: people of a time zone, empty for those without one, whose occasions go out from one day to another. */
export interface Window {
  timeZone: string;
  from: string;
  to: string;
  /** People who left before this moment are not looked at; null: all people are. */
  leftAfter: string | null;
}

/**
 * The next people of a zone who may have an occasion in the window, in the order of their ids, found by the index of their days. Those whose managers
 * were asked are among them, because their dates may have changed.
 */
export async function readCandidates(
  on: Queryable,
  workspaceId: number,
  automationId: number,
  terms: AutomationTerms,
  window: Window,
  after: number,
  most: number,
): Promise<Candidate[]> {
  const { timeZone, leftAfter } = window;
  const { condition, values } = conditionOf(terms, window);
  const asked = `m.id in (select o.member_id from occurrences o
                           where o.workspace_id = $1 and o.automation_id = $2 and o.state = 'ASKED')`;
  return on.query<Candidate>(
    `select m.id, m.country, m.birthday, m.hired_on as "hireDate", m.last_recognized_on as "lastRecognizedOn",
            array(select o.for_day::text
                    from occurrences o
                   where o.workspace_id = $1
                     and o.automation_id = $2
                     and o.member_id = m.id
                     and o.for_day between $7::date - ${longestMove} and $8::date + ${longestMove}
                     and o.state <> 'ASKED') as done
       from members m
      where m.workspace_id = $1
        and ${isPerson('m')}
        and m.id > $3
        and ${timeZone === '' ? "m.own_time_zone is null and $4 = ''" : 'm.own_time_zone = $4'}
        and ($5::timestamptz is null or m.left_at is null or m.left_at > $5)
        and (${condition}${terms.leadDays > 0 ? ` or ${asked}` : ''})
      order by m.id
      limit $6`,
    [workspaceId, automationId, after, timeZone, leftAfter, most, window.from, window.to, ...values],
  );
}

/** The month and the day of the first day, as its index has them: 1231 is 31 December. */
const hiredDay = '((extract(month from m.hired_on) * 100 + extract(day from m.hired_on))::int)';

function conditionOf(terms: AutomationTerms, window: Window): { condition: string; values: unknown[] } {
  const { trigger, onDayOff } = terms;
  const first = onDayOff === 'AFTER' ? addDays(window.from, -longestMove) : window.from;
  const last = onDayOff === 'BEFORE' ? addDays(window.to, longestMove) : window.to;
  const days = trigger.days ?? 0;
  switch (trigger.is) {
    case 'BIRTHDAY':
      return { condition: 'm.birthday is not null and m.birthday = any($9::text[])', values: [monthDays(first, last)] };
    case 'ANNIVERSARY':
      return {
        condition: `m.hired_on is not null and ${hiredDay} = any($9::int[])`,
        values: [monthDays(first, last).map((day) => Number(day.replace('-', '')))],
      };
    case 'AFTER_HIRE':
      return {
        condition: 'm.hired_on is not null and m.hired_on between $9::date and $10::date',
        values: [addDays(first, -days), addDays(last, -days)],
      };
    case 'UNRECOGNIZED': {
      const between = 'between $9::date and $10::date';
      // The column has the day in UTC: in the workspace it may be the day before or after.
      return {
        condition: `(m.last_recognized_on ${between} or m.last_recognized_on is null and m.hired_on ${between})`,
        values: [addDays(first, -days - 1), addDays(last, -days + 1)],
      };
    }
    case 'YEARLY':
    case 'ONCE': {
      const isNear =
        trigger.is === 'ONCE'
          ? !!trigger.day && trigger.day >= first && trigger.day <= last
          : monthDays(first, last).includes(trigger.monthDay ?? '');
      return { condition: '$9::boolean', values: [isNear] };
    }
  }
}

/** All months and days between two days. 29 February comes with both days on which it may be celebrated in other years. */
function monthDays(first: string, last: string): string[] {
  const length = Math.min(366, daysBetween(first, last) + 1);
  const found = new Set(Array.from({ length }, (_, nth) => addDays(last, -nth).slice(5)));
  if (found.has('02-28') || found.has('03-01')) found.add('02-29');
  return [...found];
}

/** The time zones that people have, and an empty one for people without. Each is found by one step in the index. */
export async function readZones(on: Queryable, workspaceId: number): Promise<string[]> {
  const next = (after: string) => `
    select m.own_time_zone
      from members m
     where m.workspace_id = $1 and ${isPerson('m')} and m.own_time_zone is not null ${after}
     order by m.own_time_zone
     limit 1`;
  const rows = await on.query<{ zone: string }>(
    `with recursive zones as (
       (${next('')})
        union all
       select (${next('and m.own_time_zone > z.own_time_zone')}) from zones z where z.own_time_zone is not null
     )
     select own_time_zone as zone from zones where own_time_zone is not null`,
    [workspaceId],
  );
  return ['', ...rows.map(({ zone }) => zone)];
}
