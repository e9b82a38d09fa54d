import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { addDays } from '../../ground/values/calendar.ts';
import { type Candidate, readCandidates, readZones, type Window } from './candidates.ts';
import { dayOfMoment, dueAtOf } from './due-at.ts';
import type { Engine } from './engine.ts';
import { type PlanScene, readScene } from './evaluate.ts';
import { tellOccurrences } from './events.ts';
import { occasionsSentBetween } from './occasions.ts';
import { type LookScene, occurrencesOf, type Reachable } from './occur.ts';
import { peopleSql } from './people.ts';
import { type ActiveAutomation, addOccurrences, readActive, readRowsOf } from './store.ts';
import { holidaysFor, type IsHoliday, longestMove } from './working-days.ts';

/** The number of people who are read at once, and of those who are written about in one transaction. */
const [mostRead, mostWritten] = [5_000, 500];
/** Of a longer downtime, nothing is listed that is older. */
const longestPast = 366;
const dayMs = 86_400_000;

/** How far an automation has come among the people of a zone. */
interface Look {
  automationId: number;
  timeZone: string;
  lookedDay: string | null;
  lookingDay: string | null;
  after: number;
}

/**
 * Looks at every day whose hour has come, for each automation and time zone, and lists what is due. It yields after each, so that other workspaces get
 * their turns. A kill repeats nothing: how far it has come is written with the rows.
 */
export async function* lookIn(engine: Engine, workspaceId: number): AsyncGenerator<void> {
  const { database, emailManagers } = engine;
  const active = await readActive(database, workspaceId);
  if (active.length === 0) return;
  const scene = await readScene(database, workspaceId);
  const isHoliday = await holidaysFor(active.map(({ terms }) => terms.onDayOff));
  const zones = await readZones(database, workspaceId);
  const looks = await readLooks(database, workspaceId);
  for (const automation of active)
    for (const zone of zones) {
      const known = looks.get(`${automation.id} ${zone}`);
      const day = latestDay(automation.terms, scene.now, zone || scene.timeZone);
      if (known?.lookedDay && known.lookedDay >= day) continue;
      await lookAtDay({ database, emailManagers, workspaceId, automation, scene, isHoliday, zone, known, day });
      yield;
    }
}

/** The last day whose hour has come in a zone. */
function latestDay({ hour }: Pick<AutomationTerms, 'hour'>, now: number, zone: string): string {
  const today = dayOfMoment(now, zone);
  return dueAtOf(today, hour, zone) <= now ? today : addDays(today, -1);
}

async function readLooks(on: Queryable, workspaceId: number): Promise<Map<string, Look>> {
  const rows = await on.query<Look>(
    `select automation_id as "automationId", time_zone as "timeZone", looked_day as "lookedDay", looking_day as "lookingDay",
            after_member_id as after
       from automation_looks
      where workspace_id = $1`,
    [workspaceId],
  );
  return new Map(rows.map((look) => [`${look.automationId} ${look.timeZone}`, look]));
}

interface DayLook extends Pick<Engine, 'database' | 'emailManagers'> {
  workspaceId: number;
  automation: ActiveAutomation;
  scene: PlanScene;
  isHoliday: IsHoliday;
  zone: string;
  known: Look | undefined;
  day: string;
}

async function lookAtDay(look: DayLook): Promise<void> {
  const { database, workspaceId, automation, scene, isHoliday, zone, known, day } = look;
  const { id, terms } = automation;
  const from = firstDay(look);
  const window: Window = {
    timeZone: zone,
    from,
    to: addDays(day, terms.leadDays),
    leftAfter: terms.skipsLeft ? new Date(scene.now - longestPast * dayMs).toISOString() : null,
  };
  const lookScene = {
    ...scene,
    timeZone: zone || scene.timeZone,
    isHoliday,
    from,
    day,
    emailsManagers: look.emailManagers !== null,
  };
  let after = known?.lookingDay === day ? known.after : 0;
  for (;;) {
    const candidates = await readCandidates(database, workspaceId, id, terms, window, after, mostRead);
    const hits = candidates.filter((one) => mayOccur(terms, one, window, isHoliday)).map((one) => one.id);
    for (let at = 0; at < hits.length; at += mostWritten) {
      const some = hits.slice(at, at + mostWritten);
      const done = { day, after: some.at(-1) as number, isWhole: false };
      if (!(await writeSome(look, lookScene, some, done))) return;
    }
    if (candidates.length < mostRead) break;
    after = candidates.at(-1)?.id as number;
  }
  await writeSome(look, lookScene, [], { day, after: 0, isWhole: true });
}

/**
 * Days since the last look, and those that may be made up for: people may have been added, or their dates corrected. What is too late is listed as far
 * back as a change can move a day into the past: a move to another time zone by two days, a new country or another rule by days off.
 */
function firstDay({ automation: { terms, since }, zone, scene, known, day }: DayLook): string {
  const movable = 2 + (terms.onDayOff === 'SAME_DAY' ? 0 : longestMove);
  const noticed = addDays(day, -Math.max(terms.catchUpDays, movable));
  const missed = known?.lookedDay ? addDays(known.lookedDay, 1) : noticed;
  const earliest = [addDays(day, -longestPast), dayOfMoment(since, zone || scene.timeZone)].sort().at(-1) as string;
  const wanted = missed < noticed ? missed : noticed;
  return wanted > earliest ? wanted : earliest;
}

/**
 * Whether a person has an occasion in the window that has no row yet. Of recognition, the day in the workspace is not known here; a person who was asked about
 * always counts.
 */
function mayOccur(terms: AutomationTerms, person: Candidate, { from, to }: Window, isHoliday: IsHoliday): boolean {
  if (terms.leadDays > 0 || terms.trigger.is === 'UNRECOGNIZED') return true;
  return occasionsSentBetween(terms, person, from, to, isHoliday).some(({ forDay }) => !person.done.includes(forDay));
}

interface Progress {
  day: string;
  after: number;
  /** Whether the day is done. */
  isWhole: boolean;
}

/** Writes what happens for some people, and how far the look has come. False if the automation was changed or paused meanwhile. */
function writeSome(
  look: DayLook,
  scene: LookScene,
  memberIds: readonly number[],
  progress: Progress,
): Promise<boolean> {
  const { database, workspaceId, automation, zone } = look;
  return inWorkspace(database, workspaceId, async (tx, moment) => {
    const [current] = await readActive(tx, workspaceId, automation.id);
    if (!current || !isSame(current, automation)) return false;
    if (memberIds.length > 0) await occur(tx, look, moment, current, scene, memberIds);
    await tx.query(progressSql, [workspaceId, automation.id, zone, progress.day, progress.after, progress.isWhole]);
    return true;
  });
}

function isSame(one: ActiveAutomation, other: ActiveAutomation): boolean {
  return one.since === other.since && JSON.stringify(one.terms) === JSON.stringify(other.terms);
}

const progressSql = `
  insert into automation_looks as l (workspace_id, automation_id, time_zone, looked_day, looking_day, after_member_id)
  values ($1, $2, $3, case when $6 then $4::date end, case when not $6 then $4::date end, $5)
  on conflict (workspace_id, automation_id, time_zone) do update
     set looked_day      = case when $6 then greatest(l.looked_day, $4::date) else l.looked_day end,
         looking_day     = excluded.looking_day,
         after_member_id = excluded.after_member_id`;

async function occur(
  tx: Queryable,
  { workspaceId, emailManagers }: DayLook,
  moment: string,
  automation: ActiveAutomation,
  scene: LookScene,
  memberIds: readonly number[],
): Promise<void> {
  const people = await readReachable(tx, workspaceId, memberIds);
  const earlier = await readRowsOf(tx, workspaceId, automation.id, memberIds);
  const changes = people.map((person) => occurrencesOf(automation, person, earlier.get(person.id) ?? [], scene));
  const withdrawn = changes.flatMap((one) => one.withdrawn);
  if (withdrawn.length > 0)
    await tx.query(`delete from occurrences where workspace_id = $1 and id = any($2::bigint[]) and state = 'ASKED'`, [
      workspaceId,
      withdrawn,
    ]);
  const added = changes.flatMap((one) => one.added);
  const stored = await addOccurrences(tx, workspaceId, automation.id, moment, added);
  const occurrenceIds = stored.filter(({ isNew, state }) => isNew && state === 'ASKED').map(({ id }) => id);
  if (occurrenceIds.length > 0) await emailManagers?.(tx, { workspaceId, moment, kind: 'LINE', occurrenceIds });
  await tellOccurrences(tx, workspaceId, moment, automation, stored);
}

export function readReachable(on: Queryable, workspaceId: number, memberIds: readonly number[]): Promise<Reachable[]> {
  return on.query<Reachable>(peopleSql('m.id = any($2::bigint[])'), [workspaceId, memberIds]);
}
