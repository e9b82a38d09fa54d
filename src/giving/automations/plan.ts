import type { Automation, AutomationTerms } from '../../ground/contract/automation.ts';
import type { AutomationPlan } from '../../ground/contract/automation-plan.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { addDays } from '../../ground/values/calendar.ts';
import { differences } from '../../ground/values/differences.ts';
import {
  costOf,
  evaluate,
  occurrenceOf,
  type PastOccurrence,
  type Planned,
  type PlanScene,
  readEarlier,
  readScene,
} from './evaluate.ts';
import { readFunds, spendByMonth } from './funds.ts';
import { termsOf } from './manage.ts';
import { missedBy } from './missed.ts';
import { type Person, placeholderValuesOf, readEveryone } from './people.ts';
import { hasValue } from './placeholders.ts';
import { holidaysFor } from './working-days.ts';

const [mostShown, mostListed, mostPassed] = [6, 1_000, 50];
const dayMs = 86_400_000;

/**
 * The next twelve months of an automation, computed: nothing is stored. `before` is the automation as it is, if these terms would change it. People are
 * read once.
 */
export async function planOf(
  on: Queryable,
  workspaceId: number,
  terms: AutomationTerms,
  { before, month }: { before: Automation | null; month: string | undefined },
): Promise<AutomationPlan> {
  const scene = await readScene(on, workspaceId);
  const people = await readEveryone(on, workspaceId);
  const others = await readOthers(on, workspaceId, terms, before?.id ?? null);
  const all = [...(before ? [{ id: before.id, terms }] : []), ...others];
  const earlier = await readEarlier(on, workspaceId, all, scene.today);
  const isHoliday = await holidaysFor(
    [terms, ...(before ? [before] : []), ...others.map((one) => one.terms)].map(offs),
  );
  const plan = (its: AutomationTerms, rows: ReadonlyMap<number, readonly PastOccurrence[]> | undefined, span = scene) =>
    evaluate(its, people, rows, span, isHoliday);

  const own = before ? earlier.get(before.id) : undefined;
  const planned = plan(terms, own);
  const passed = plan(terms, own, dayBefore(scene, before)).filter(({ isSkipped }) => !isSkipped);
  const funds = await readFunds(on, workspaceId, terms);
  const spent = funds ? others.flatMap((other) => plan(other.terms, earlier.get(other.id))) : [];
  const byMonth = spendByMonth(funds, scene, planned, spent);
  const months = byMonth.map(({ month: name, available, short, unpaid, planned: some }) => ({
    ...{ month: name, people: countOf(some), amount: costOf(some), available, short, unpaid: unpaid.length },
    first: some.slice(0, mostShown).map(occurrenceOf),
  }));
  const listed = byMonth.find((one) => one.month === month)?.planned ?? [];
  return {
    currency: (terms.action.is === 'GIFT' && terms.action.currency) || null,
    total: totalOf(planned),
    months,
    listed: listed.slice(0, mostListed).map(occurrenceOf),
    passed: passed.slice(0, mostPassed).map(occurrenceOf),
    missed: missedBy(terms, people, planned, scene),
    samples: samplesOf(terms, people, planned, scene),
    difference: before ? differenceOf(plan(before, own), planned) : null,
  };
}

/**
 * A plan for a caller who may not read private fields, such as birthdays: the sums, without people. Only of what is stored: terms that are made up for
 * one person would tell their days.
 */
export async function planWithoutPeople(
  on: Queryable,
  workspaceId: number,
  terms: AutomationTerms,
  before: Automation | null,
): Promise<AutomationPlan> {
  if (before === null || differences(termsOf(before), terms).length > 0)
    throw new Failure(
      'forbidden',
      'Only callers with the scope directory:write may plan terms that are not stored: the days of people are private.',
    );
  const plan = await planOf(on, workspaceId, terms, { before, month: undefined });
  const months = plan.months.map((month) => ({ ...month, first: [] }));
  return { ...plan, months, passed: [], missed: plan.missed.map((one) => ({ ...one, first: [] })), samples: [] };
}

/** The day until now. What was due after the automation was turned on comes by itself. */
function dayBefore(scene: PlanScene, before: Automation | null): PlanScene {
  const onSince = before?.state === 'ON' && before.onSince ? Date.parse(before.onSince) : scene.now;
  const { now, today } = scene;
  return { ...scene, now: now - dayMs, today: addDays(today, -1), until: Math.min(now, onSince), lastDay: today };
}

const offs = ({ onDayOff }: AutomationTerms) => onDayOff;

/** The other automations that are on and draw on the same budget. */
function readOthers(
  on: Queryable,
  workspaceId: number,
  { action, budgetId }: AutomationTerms,
  exceptId: number | null,
): Promise<{ id: number; terms: AutomationTerms }[]> {
  if (action.is !== 'GIFT') return Promise.resolve([]);
  return on.query(
    `select id, terms
       from automations
      where workspace_id = $1
        and state = 'ON'
        and deleted_at is null
        and id is distinct from $2::bigint
        and terms -> 'action' ->> 'is' = 'GIFT'
        and terms -> 'action' ->> 'currency' = $3
        and (terms ->> 'budgetId')::bigint is not distinct from $4::bigint`,
    [workspaceId, exceptId, action.currency ?? null, budgetId],
  );
}

function countOf(planned: readonly Planned[]): number {
  return planned.filter(({ isSkipped }) => !isSkipped).length;
}

function totalOf(planned: readonly Planned[]): AutomationPlan['total'] {
  const goesOut = planned.filter(({ isSkipped }) => !isSkipped);
  return {
    people: new Set(goesOut.map(({ person }) => person.id)).size,
    occurrences: goesOut.length,
    amount: costOf(goesOut),
  };
}

/** The next person of each language. */
function samplesOf(
  terms: AutomationTerms,
  people: readonly Person[],
  planned: readonly Planned[],
  scene: PlanScene,
): AutomationPlan['samples'] {
  const first = new Map<string, Planned>();
  for (const one of planned)
    if (one.language !== null && !one.isSkipped && !first.has(one.language)) first.set(one.language, one);
  return [...first].map(([language, one]) => {
    const values = placeholderValuesOf(one.person, { ...scene, years: one.years, language });
    const known = Object.keys(values).filter((name) => hasValue(values, name));
    return {
      ...occurrenceOf(one),
      senderName: senderName(terms, people, one.person) ?? scene.company,
      values: Object.fromEntries(known.map((name) => [name, String(values[name])])),
    };
  });
}

/** Null: the company sends it, also to the sender themselves and for one who has left. */
function senderName({ from }: AutomationTerms, people: readonly Person[], person: Person): string | null {
  if (from.is === 'MANAGER') return person.managerName;
  const sender = people.find(({ recordIds }) => from.memberId !== undefined && recordIds.includes(from.memberId));
  if (!sender || sender.hasLeft || sender.id === person.id) return null;
  return `${sender.firstName} ${sender.lastName}`.trim();
}

function differenceOf(before: readonly Planned[], after: readonly Planned[]): AutomationPlan['difference'] {
  const keyOf = ({ person, forDay }: Planned) => `${person.id} ${forDay}`;
  const earlier = new Map(before.map((one) => [keyOf(one), one]));
  const kept = after.flatMap((one) => {
    const was = earlier.get(keyOf(one));
    return was ? [{ was, one }] : [];
  });
  const count = (changed: (was: Planned, one: Planned) => boolean) =>
    kept.filter(({ was, one }) => changed(was, one)).length;
  return {
    before: totalOf(before),
    added: after.length - kept.length,
    removed: before.length - kept.length,
    moved: count((was, one) => was.dueAt !== one.dueAt),
    larger: count((was, one) => (one.amount ?? 0) > (was.amount ?? 0)),
    smaller: count((was, one) => (one.amount ?? 0) < (was.amount ?? 0)),
  };
}
