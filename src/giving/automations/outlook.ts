import { type RecordReader, readsPrivate } from '../../company/directory/readers.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { AutomationOutlook } from '../../ground/contract/automation-plan.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { addDays } from '../../ground/values/calendar.ts';
import { incompleteStates } from './attention.ts';
import { costOf, evaluate, occurrenceOf, type Planned, type PlanScene, readEarlier, readScene } from './evaluate.ts';
import { readFunds, spendByMonth } from './funds.ts';
import { readEveryone } from './people.ts';
import { holidaysFor } from './working-days.ts';

const [soonDays, mostSoon] = [30, 10];

interface Running {
  id: number;
  terms: AutomationTerms;
}
type Short = Pick<AutomationOutlook, 'shortMonth' | 'short'>;

/**
 * What comes next in each automation that is on. People are read once. Callers who may not read private fields, such as birthdays, get the sums, without
 * people.
 */
export async function outlookOf(
  on: Queryable,
  workspaceId: number,
  { scopes }: Pick<RecordReader, 'scopes'>,
): Promise<AutomationOutlook[]> {
  const showsPeople = readsPrivate(scopes);
  const running = await on.query<Running>(
    `select id, terms from automations where workspace_id = $1 and state = 'ON' and deleted_at is null order by id`,
    [workspaceId],
  );
  if (running.length === 0) return [];
  const scene = await readScene(on, workspaceId);
  const people = await readEveryone(on, workspaceId);
  const earlier = await readEarlier(on, workspaceId, running, scene.today);
  const isHoliday = await holidaysFor(running.map(({ terms }) => terms.onDayOff));
  const planned = new Map(
    running.map(({ id, terms }) => [id, evaluate(terms, people, earlier.get(id), scene, isHoliday)]),
  );
  const short = await shortOf(on, workspaceId, running, planned, scene);
  const counts = await readCounts(on, workspaceId, scene.now);
  const soonUntil = addDays(scene.today, soonDays);
  return running.map(({ id }) => {
    const goesOut = (planned.get(id) ?? []).filter(({ isSkipped }) => !isSkipped);
    const soon = goesOut.filter(({ sendDay }) => sendDay <= soonUntil);
    return {
      automationId: id,
      next: showsPeople && goesOut[0] ? occurrenceOf(goesOut[0]) : null,
      soon: (showsPeople ? soon : []).slice(0, mostSoon).map(occurrenceOf),
      people: soon.length,
      amount: costOf(soon),
      ...(short.get(id) ?? { shortMonth: null, short: 0 }),
      ...(counts.get(id) ?? { waiting: 0, notDone: 0 }),
    };
  });
}

/** The first month in which a budget cannot pay, for those whose gifts it cannot pay. Automations that share a budget draw on it in turn. */
async function shortOf(
  on: Queryable,
  workspaceId: number,
  running: readonly Running[],
  planned: ReadonlyMap<number, readonly Planned[]>,
  scene: PlanScene,
): Promise<Map<number, Short>> {
  const found = new Map<number, Short>();
  const paying = running.filter(({ terms }) => terms.action.is === 'GIFT');
  const shared = Map.groupBy(paying, ({ terms }) => `${terms.action.currency} ${terms.budgetId ?? ''}`);
  for (const [first, ...rest] of shared.values()) {
    if (!first) continue;
    const owners = new Map<Planned, number>();
    for (const { id } of [first, ...rest]) for (const one of planned.get(id) ?? []) owners.set(one, id);
    const inTurn = [...owners.keys()].sort((one, other) => one.dueAt - other.dueAt);
    for (const { month, short, unpaid } of spendByMonth(await readFunds(on, workspaceId, first.terms), scene, inTurn))
      for (const one of unpaid) {
        const id = owners.get(one) as number;
        if (!found.has(id)) found.set(id, { shortMonth: month, short });
      }
  }
  return found;
}

async function readCounts(on: Queryable, workspaceId: number, now: number) {
  const rows = await on.query<{ id: number; waiting: number; notDone: number }>(
    `select id, sum(waiting) as waiting, sum(not_done) as "notDone"
       from (select o.automation_id as id, 1 as waiting, 0 as not_done
               from order_approvals held
               join occurrences o on o.workspace_id = held.workspace_id and o.request_id = held.request_id
              where held.workspace_id = $1
                and held.state = 'WAITING'
              union all
             select o.automation_id, 0, 1
               from occurrences o
              where o.workspace_id = $1
                and o.state in ${incompleteStates}
                and o.due_at > to_timestamp($2::float8 / 1000) - interval '30 days') counted
      group by id`,
    [workspaceId, now],
  );
  return new Map(rows.map(({ id, waiting, notDone }) => [id, { waiting, notDone }]));
}
