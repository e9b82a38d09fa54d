import { updateMembers } from '../../src/company/directory/save.ts';
import { memberByEmail } from '../../src/company/directory/who.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { type Queryable, queryOne } from '../../src/ground/database/database.ts';
import { dress } from '../company.ts';
import { fill } from '../fill.ts';
import type { Bench, Service } from '../programs.ts';
import { inRounds, median, ratio, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { medianTime } from './pages.ts';
import { openVisits } from './usable.ts';

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** The two reports of the interface: their usual pages and their largest ones, which nobody may wait longer than. */
const reports = [20, 1_000].flatMap((size) => [
  `reports/teams/activity?size=${size}`,
  `reports/members/last-recognized?size=${size}`,
]);

/** What the screens of the console ask for, with their parameters: pages of lists. */
const lists = {
  giftList: 'gifts?size=50',
  giftListClaimed: 'gifts?state=CLAIMED&size=50',
  giftListFailed: 'gifts?delivery=FAILED&size=50',
  giftSearch: 'gifts?search=maria%20garc&size=50',
  orderList: 'orders?size=50',
  orderListFailed: 'orders?status=FAILED&size=50',
  orderListAccepted: 'orders?status=ACCEPTED&size=50',
  memberList: 'members?size=50',
  memberSearch: 'members?search=maria&size=50',
  memberSearchLetter: 'members?search=a&size=50',
  memberDepartment: 'members?department=Department%203&size=50',
  suggestLetters: 'members/suggestions?search=an',
  suggestName: 'members/suggestions?search=maria%20garc',
  shoutoutList: 'shoutouts?size=50',
  activityFeed: 'reports/teams/activity?size=50&page=5000',
  auditList: 'audit?size=50',
  auditAction: 'audit?action=token&size=50',
  outboxList: 'outbox?size=50',
};

/** Reports about groups, which are counted in memory, and keep their answers while nothing changes. */
const kept = {
  overview: 'reports/overview?',
  series: 'reports/series?by=week',
  coverageHome: 'reports/coverage?by=department&sort=people&size=8',
  coverageLocation: 'reports/coverage?by=location&size=50',
  coverageManager: 'reports/coverage?by=manager&size=50',
  coverageCostCentre: 'reports/coverage?by=costCentre&size=50',
  coverageAsOf: `reports/coverage?by=department&asOf=${day(200)}`,
  coverageMonths: `reports/coverage?by=month&from=${day(350)}`,
  fairness: 'reports/fairness?size=50',
  forgotten: 'reports/members/not-recognized?size=50',
  forgottenAsOf: `reports/members/not-recognized?size=50&asOf=${day(200)}`,
};

/**
 * Milliseconds for what the console asks of a company: of pages, of reports about groups while nothing changes (`console: …`), and of the
 * same reports after a change (`changed: …`), beside the reports of the interface (`report: …`). And of first visits with a browser, until
 * a screen can be used (`usable: …`).
 */
export async function measureConsole(bench: Bench, sizes: Sizes): Promise<Series> {
  const service = await bench.startService('console');
  const { members, activities } = sizes.console;
  const half = activities / 2;
  const { workspaceId, database } = service;
  const company = { workspaceId, members, gifts: half, giftsPerOrder: 20, shoutouts: half, oneLeftIn: 20 };
  await fill(database, company, () => {});
  await dress(database, workspaceId);
  await bench.checkpoint();
  const visits = await openVisits(service);
  const measures = Object.fromEntries([
    ...reports.map((path) => [`report: ${path}`, timed(service, path, sizes.pages)]),
    ...Object.entries({ ...lists, ...kept }).map(([name, path]) => [
      `console: ${name}`,
      timed(service, path, sizes.pages),
    ]),
    ...Object.entries(kept).map(([name, path]) => [`changed: ${name}`, afterChange(service, path)]),
    ...Object.entries(visits.measures),
  ]) as Record<string, () => Promise<number>>;
  try {
    await inRounds(1, measures);
    return await inRounds(sizes.rounds, measures);
  } finally {
    await visits.close();
  }
}

function timed(service: Service, path: string, times: number): () => Promise<number> {
  const call = service.call('GET', `/api/v1/${path}`);
  return () => medianTime(service, call, times);
}

/** How often a report is asked for in a round, each time after a change. */
const changes = 5;

function afterChange(service: Service, path: string): () => Promise<number> {
  const ask = timed(service, path, 1);
  return async () => {
    const taken: number[] = [];
    while (taken.length < changes) {
      await change(service, ++changed);
      taken.push(await ask());
    }
    return median(taken);
  };
}

let changed = 0;

/** Somebody is thanked, and somebody else moves to another department. Every twentieth has left. */
async function change({ database, url, workspaceId, call }: Service, nth: number): Promise<void> {
  const recipient = { email: `person${1 + 20 * nth}@example.com` };
  const shoutout = call('POST', '/api/v1/shoutouts', { recipient, message: 'Thank you!' });
  const { status } = await fetch(`${url}${shoutout.path}`, shoutout as RequestInit);
  if (status !== 201) throw new Error(`a shoutout was answered with ${status}`);
  await inWorkspace(database, workspaceId, async (tx) => {
    const id = await memberOf(tx, workspaceId, `person${2 + 20 * nth}@example.com`);
    await updateMembers(tx, workspaceId, [{ id, department: `Department ${nth % 10}` }]);
  });
}

async function memberOf(tx: Queryable, workspaceId: number, email: string): Promise<number> {
  const sql = `select ${memberByEmail('$1', '$2')} as id`;
  return (await queryOne<{ id: number }>(tx, sql, [workspaceId, email])).id;
}

/** A line for each request: its median, and how many times as long it takes as the slowest page of the interface's reports. */
export function showScreens(series: Series): string {
  const reports = slowest(series, 'report');
  return Object.entries(series)
    .map(([name, values]) => [
      name.padEnd(60),
      median(values).toFixed(1).padStart(8),
      'ms',
      ratio(values, reports).value.toFixed(2).padStart(8),
    ])
    .map((cells) => cells.join(' '))
    .join('\n');
}

/** The slowest of some measures in each round. */
export function slowest(series: Series, kind: 'report' | 'console' | 'changed' | 'usable'): number[] | undefined {
  const all = Object.entries(series).flatMap(([name, values]) => (name.startsWith(`${kind}: `) ? [values] : []));
  return all[0]?.map((_, round) => Math.max(...all.map((values) => values[round] ?? Number.NaN)));
}
