import type { MemberFields } from '../../src/company/directory/member-fields.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { readToday } from '../../src/company/workspaces/days.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { advanceTime } from '../../src/giving/automations/advance.ts';
import type { Engine } from '../../src/giving/automations/engine.ts';
import { addAutomation, changeAutomation } from '../../src/giving/automations/manage.ts';
import { runWorkspace } from '../../src/giving/automations/run.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { readPendingLines } from '../../src/giving/orders/pending-lines.ts';
import { Shoutouts } from '../../src/giving/recognition/give.ts';
import type { AutomationChange, NewAutomation } from '../../src/ground/contract/automation.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { addDays } from '../../src/ground/values/calendar.ts';
import { commandSteps } from '../../src/steps.ts';
import { anAutomation } from './automations.ts';
import type { TestService } from './service.ts';
import { type Opening, openWorkspace } from './workspace.ts';

/** What a worker acts with, on one node. */
export function engineOn(database: Database): Engine {
  return {
    database,
    acceptance: new Acceptance(database, commandSteps.accept),
    shoutouts: new Shoutouts(database, readPendingLines, commandSteps.shoutouts),
    emailManagers: null,
  };
}

export interface OccurrenceRow {
  id: number;
  memberId: number;
  forDay: string;
  state: string;
  reason: string | null;
  detail: string | null;
  daysLate: number;
  amount: number | null;
  requestId: string | null;
  shoutout: number | null;
}

export interface SentGift {
  to: string;
  amount: number;
  message: string;
  budgetId: number | null;
  sender: string;
}

/** A workspace whose automations only act when a test says so: the service must have no worker. */
export async function openAutomations(service: TestService, opening: Opening = {}) {
  const workspace = await openWorkspace(service, opening);
  const { database } = service;
  const { id } = workspace;
  await database.query(`update workspaces set time_zone = 'UTC' where id = $1`, [id]);
  const engine = engineOn(database);
  const under = <T>(work: Parameters<typeof inWorkspace<T>>[2]) => inWorkspace(database, id, work);
  return {
    ...workspace,
    engine,
    under,
    /** The day, so many days from now. */
    day: async (days: number) => addDays(await readToday(database, id), days),
    add: (terms: Partial<NewAutomation> = {}) =>
      under(
        async (tx) =>
          (await addAutomation(tx, theService, id, anAutomation({ onDayOff: 'SAME_DAY', hour: 0, ...terms }))).id,
      ),
    change: (automationId: number, change: AutomationChange) =>
      under((tx) => changeAutomation(tx, theService, id, automationId, change)),
    async on(terms: Partial<NewAutomation> = {}): Promise<number> {
      const added = await this.add(terms);
      await this.change(added, { state: 'ON' });
      return added;
    },
    run: (by = engine) => runWorkspace(by, id),
    /** Days that pass one by one. */
    pass: (days: number, withinMs?: number) => advanceTime(engine, theService, id, days * 86_400, withinMs),
    /** Days on which the service is down. */
    miss: (days: number) => database.transaction((tx) => advanceClock(tx, id, days * 86_400)),
    rows: () =>
      database.query<OccurrenceRow>(
        `select id, member_id as "memberId", for_day as "forDay", state, reason, detail, days_late as "daysLate", amount,
                request_id as "requestId", shoutout_number as shoutout
           from occurrences where workspace_id = $1 order by for_day, id`,
        [id],
      ),
    gifts: () =>
      database.query<SentGift>(
        `select coalesce(item #>> '{recipient,email}', item #>> '{recipient,employeeNumber}') as to, (item ->> 'amount')::float8 as amount,
                item ->> 'message' as message, named_budget_id as "budgetId", sender_name as sender
           from order_requests, jsonb_array_elements(body -> 'orderItems') as item
          where workspace_id = $1
          order by 1, request_id`,
        [id],
      ),
  };
}

export function person(name: string, fields: MemberFields = {}): MemberFields {
  return { email: `${name.toLowerCase()}@example.com`, firstName: name, lastName: 'Example', ...fields };
}
