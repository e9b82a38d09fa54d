import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { theService } from '../src/company/workspaces/audit.ts';
import { advanceClock } from '../src/company/workspaces/clock.ts';
import { inWorkspace } from '../src/company/workspaces/lock.ts';
import { addAutomation, changeAutomation } from '../src/giving/automations/manage.ts';
import type { AutomationTrigger } from '../src/ground/contract/automation.ts';
import { queryCount } from '../src/ground/database/database.ts';
import { round, shown, wholeNumber } from './figures.ts';
import { fill } from './fill.ts';
import { completeOrder } from './measures/fairness.ts';
import { openBench, type Service } from './programs.ts';
import { median } from './series.ts';

const daySeconds = 86_400;
const beganSql = 'select count(looked_day) as count from automation_looks where workspace_id = $1';
const zones = ['Pacific/Auckland', 'Asia/Tokyo', 'Asia/Kolkata', 'Africa/Nairobi', 'Europe/Berlin', 'Europe/London'];
const western = ['Atlantic/Azores', 'America/Sao_Paulo', 'America/Halifax', 'America/Chicago', 'America/Denver', 'UTC'];

const { members, rules, years } = new Command('npm run bench:automations --')
  .description(
    'Fills a company, turns automations on, and measures one day of them: how long it takes, and how long orders of another workspace take meanwhile. Then the same with past years.',
  )
  .option('--members <count>', 'how many people', wholeNumber, 200_000)
  .option('--rules <count>', 'how many automations', wholeNumber, 50)
  .option('--years <count>', 'how many past years there are for the second measure', wholeNumber, 10)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Record<'members' | 'rules' | 'years', number>>();

/** One for each automation and time zone. */
const looks = rules * (zones.length + western.length);
const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-automations-'));
const bench = await openBench(join(dataDir, 'data'));
try {
  const service = await bench.startService('automations');
  const company = service.workspaceId + 1;
  await makeCompany(service, company);
  await turnOn(service, company);
  await begin(service, company);
  await bench.checkpoint();
  const idle = await askedFor(service, 3_000);
  const first = await day(service, company);
  await addPast(service, company);
  await bench.checkpoint();
  const later = await day(service, company);
  console.log(`\n${shown(members)} people in ${zones.length + western.length} time zones, ${rules} automations.\n`);
  console.table({
    'One day': rowOf(first, idle),
    [`One day, after ${years} years (${shown(later.past)} rows)`]: rowOf(later, idle),
  });
  console.log(`The day takes ${round(later.seconds / first.seconds)} times as long with the past years.`);
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** Each day is the birthday of as many people as any other, and the day of as many first days. */
async function makeCompany({ database }: Service, company: number): Promise<void> {
  await fill(database, { workspaceId: company, members, gifts: members, giftsPerOrder: 100 }, () => {});
  await database.query(
    `update members
        set birthday = to_char(date '2028-01-01' + (id % 366)::int, 'MM-DD'),
            hired_on = date '2012-01-01' + (id * 7 % 5000)::int,
            own_time_zone = ($2::text[])[1 + id % cardinality($2::text[])]
      where workspace_id = $1 and not is_integration`,
    [company, [...zones, ...western]],
  );
  await database.pool.query('vacuum (analyze) members');
}

/** Of three automations, one is about birthdays, one about anniversaries and one about first days. Each is for one of ten departments. */
async function turnOn({ database }: Service, company: number): Promise<void> {
  const triggers: AutomationTrigger[] = [{ is: 'BIRTHDAY' }, { is: 'ANNIVERSARY' }, { is: 'AFTER_HIRE', days: 3_000 }];
  for (let nth = 0; nth < rules; nth++)
    await inWorkspace(database, company, async (tx) => {
      const { id } = await addAutomation(tx, theService, company, {
        name: `Automation ${nth}`,
        trigger: triggers[nth % triggers.length] as AutomationTrigger,
        audience: { include: [{ department: `Department ${nth % 10}` }], exclude: [] },
        action: { is: 'GIFT', currency: 'CAD', amount: 25 },
        onDayOff: 'SAME_DAY',
        messages: { EN: 'All the best, {firstName}!' },
      });
      await changeAutomation(tx, theService, company, id, { state: 'ON' });
    });
}

/** Waits until each automation has looked at a first day in every time zone. */
async function begin({ database }: Service, company: number): Promise<void> {
  const count = () => queryCount(database, beganSql, [company]);
  while ((await count()) < looks) await sleep(500);
}

interface Day {
  seconds: number;
  /** What an order of the other workspace took meanwhile, in milliseconds. */
  order: number;
  /** What the day added, and what was there before. */
  added: number;
  past: number;
}

/** Lets a day pass for the company, and waits until its automations have done everything. */
async function day(service: Service, company: number): Promise<Day> {
  const { database } = service;
  const [past, before] = [await countOf(database, company), await daysLookedAt(database, company)];
  await database.transaction((tx) => advanceClock(tx, company, daySeconds));
  const begun = performance.now();
  const taken: number[] = [];
  while (!(await isDone(service, company, before))) {
    const asked = performance.now();
    await completeOrder(service, service.workspaceId);
    taken.push(performance.now() - asked);
    await sleep(20);
  }
  const seconds = (performance.now() - begun) / 1_000;
  return { seconds, order: median(taken), added: (await countOf(database, company)) - past, past };
}

/** Every automation has looked at a further day in every time zone, and nothing is left to send. `before` are the days that were looked at before. */
async function isDone({ database }: Service, company: number, before: number): Promise<boolean> {
  if ((await daysLookedAt(database, company)) < before + looks) return false;
  const [left] = await database.query(
    `select from automation_batches where workspace_id = $1
      union all
     select from occurrences where workspace_id = $1 and state in ('DUE', 'SENDING')
      limit 1`,
    [company],
  );
  return left === undefined;
}

function daysLookedAt(database: Service['database'], company: number): Promise<number> {
  return queryCount(
    database,
    `select sum(looked_day - '2020-01-01')::int as count from automation_looks where workspace_id = $1`,
    [company],
  );
}

/** What each person has got for each birthday and anniversary of past years. */
async function addPast({ database }: Service, company: number): Promise<void> {
  await database.query(
    `insert into occurrences (workspace_id, automation_id, member_id, for_day, state, due_at, amount, currency, language, at)
     select o.workspace_id, o.automation_id, m.id, day, 'SENT', day, 25, 'CAD', 'EN_CA', day
       from (select workspace_id, min(automation_id) as automation_id from occurrences where workspace_id = $1 group by 1) o
       join members m on m.workspace_id = o.workspace_id and m.birthday is not null and m.birthday <> '02-29'
      cross join generate_series(1, $2::int) as years
      cross join lateral (select (extract(year from now())::int - years || '-' || m.birthday)::date) as past (day)
     on conflict do nothing`,
    [company, years],
  );
  await database.pool.query('vacuum (analyze) occurrences');
}

function countOf(database: Service['database'], company: number): Promise<number> {
  return queryCount(database, 'select count(*) as count from occurrences where workspace_id = $1', [company]);
}

/** The median of an order of the other workspace, while nothing else happens. */
async function askedFor(service: Service, ms: number): Promise<number> {
  const taken: number[] = [];
  for (const begun = performance.now(); performance.now() - begun < ms; await sleep(20)) {
    const asked = performance.now();
    await completeOrder(service, service.workspaceId);
    taken.push(performance.now() - asked);
  }
  return median(taken);
}

function rowOf({ seconds, order, added }: Day, idle: number) {
  return { seconds: round(seconds), occurrences: added, 'an order beside it / alone': round(order / idle) };
}
