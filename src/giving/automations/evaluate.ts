import { matches } from '../../company/directory/audience.ts';
import { listCustomFields } from '../../company/directory/custom-fields.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { dayIn, zoneOf } from '../../company/workspaces/days.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { PlannedOccurrence } from '../../ground/contract/automation-plan.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { addDays } from '../../ground/values/calendar.ts';
import { dueAtOf } from './due-at.ts';
import { amountByYears, occasionsSentBetween, type PlannedOccasion } from './occasions.ts';
import { type EarlierOccurrence, isSameOccasion } from './once.ts';
import { isOnLeave, type MessageScene, type Person } from './people.ts';
import { languageOf, type MessageLanguage } from './placeholders.ts';
import type { IsHoliday } from './working-days.ts';

/** What an automation will do for one person on one day. */
export interface Planned extends PlannedOccasion {
  person: Person;
  timeZone: string;
  dueAt: number;
  amount: number | null;
  language: MessageLanguage | null;
  isSkipped: boolean;
}

/** What a plan reads about the workspace. */
export interface PlanScene extends MessageScene {
  now: number;
  today: string;
  /** The end of the plan, a year from now. */
  until: number;
  /** The day of its end. */
  lastDay: string;
  timeZone: string;
  language: string;
}

export async function readScene(on: Queryable, workspaceId: number): Promise<PlanScene> {
  const yearLater = `(${timeOf('a')} + interval '1 year')`;
  const scene = await queryOne<Omit<PlanScene, 'customFields'>>(
    on,
    `select (extract(epoch from ${timeOf('a')}) * 1000)::float8 as now, ${dayIn(timeOf('a'), zoneOf('$1'))} as today,
            (extract(epoch from ${yearLater}) * 1000)::float8 as until, ${dayIn(yearLater, zoneOf('$1'))} as "lastDay",
            w.time_zone as "timeZone", w.language, w.name as company
       from activity_counters a
       join workspaces w on w.id = a.workspace_id
      where a.workspace_id = $1`,
    [workspaceId],
  );
  return { ...scene, customFields: await listCustomFields(on, workspaceId) };
}

/** A row of `occurrences`, of the person that it counts for now. */
export interface PastOccurrence extends EarlierOccurrence {
  automationId: number;
  memberId: number;
}

/**
 * The rows that can stand for an occasion of the plan, by automation and person. Those of the last two years suffice, except where a number of years or
 * the only occasion of a person may be longer ago.
 */
export async function readEarlier(
  on: Queryable,
  workspaceId: number,
  automations: readonly { id: number; terms: Pick<AutomationTerms, 'trigger'> }[],
  today: string,
): Promise<Map<number, Map<number, PastOccurrence[]>>> {
  const yearly = automations.filter(({ terms }) => ['BIRTHDAY', 'YEARLY'].includes(terms.trigger.is));
  const rows = await on.query<PastOccurrence>(
    `select o.automation_id as "automationId", ${survivorOf('m')} as "memberId", o.for_day as "forDay", o.years, o.state, o.reason
       from occurrences o
       join members m on m.workspace_id = o.workspace_id and m.id = o.member_id
      where o.workspace_id = $1
        and o.automation_id = any($2::bigint[])
        and (o.automation_id <> all($3::bigint[]) or o.due_at > $4::date - 800)`,
    [workspaceId, automations.map(({ id }) => id), yearly.map(({ id }) => id), today],
  );
  const byAutomation = Map.groupBy(rows, ({ automationId }) => automationId);
  return new Map([...byAutomation].map(([id, some]) => [id, Map.groupBy(some, ({ memberId }) => memberId)]));
}

/** What an automation will do until the end of the plan, the earliest first. It does nothing for what was due before now. */
export function evaluate(
  terms: AutomationTerms,
  people: readonly Person[],
  earlier: ReadonlyMap<number, readonly PastOccurrence[]> | undefined,
  scene: PlanScene,
  isHoliday: IsHoliday,
): Planned[] {
  const planned: Planned[] = [];
  // Where the day has begun or not ended yet, it may be another day than in the workspace.
  const [from, to] = [addDays(scene.today, -1), addDays(scene.lastDay, 1)];
  for (const person of people) {
    if (person.hasLeft && terms.skipsLeft) continue;
    if (!matches(terms.audience, person)) continue;
    const rows = earlier?.get(person.id) ?? [];
    for (const occasion of occasionsSentBetween(terms, person, from, to, isHoliday)) {
      const timeZone = person.timeZone ?? scene.timeZone;
      const dueAt = dueAtOf(occasion.sendDay, terms.hour, timeZone);
      if (dueAt <= scene.now || dueAt > scene.until || isAway(terms, person, occasion.sendDay)) continue;
      const same = rows.filter((row) => isSameOccasion(terms.trigger, row, occasion));
      const isSkipped = same.some(
        ({ forDay, state, reason }) => forDay === occasion.forDay && state === 'SKIPPED' && reason === 'BY_HAND',
      );
      if (same.length > 0 && !isSkipped) continue;
      const amount = amountByYears(terms.action, occasion.years);
      const language = languageOf(terms.messages, person.language, scene.language);
      planned.push({ ...occasion, person, timeZone, dueAt, amount, language, isSkipped });
    }
  }
  return planned.sort((one, other) => one.dueAt - other.dueAt || one.person.id - other.person.id);
}

/** Whether a person will have left or be on leave on a day, and the automation skips them for that. */
function isAway(terms: AutomationTerms, person: Person, day: string): boolean {
  if (person.isKeptOut) return true;
  if (terms.skipsLeft && person.leavesOn !== null && person.leavesOn < day) return true;
  return terms.skipsOnLeave && isOnLeave(person, day);
}

export function occurrenceOf({ person, ...planned }: Planned): PlannedOccurrence {
  return {
    memberId: person.id,
    firstName: person.firstName,
    lastName: person.lastName,
    forDay: planned.forDay,
    years: planned.years,
    dueAt: new Date(planned.dueAt).toISOString(),
    timeZone: planned.timeZone,
    language: planned.language,
    amount: planned.amount,
    hasEmail: person.hasEmail,
    isSkipped: planned.isSkipped,
  };
}

/** The sum of amounts, without the noise of binary fractions. No currency has more than four decimals. */
export function costOf(planned: readonly Pick<Planned, 'amount' | 'isSkipped'>[]): number {
  return exact(planned.reduce((sum, { amount, isSkipped }) => sum + (isSkipped ? 0 : (amount ?? 0)), 0));
}

export function exact(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}
