import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { openBar } from '../src/doors/cli/progress.ts';
import { round } from './figures.ts';
import { fill } from './fill.ts';
import { medianTime } from './measures/pages.ts';
import { openBench, type Service } from './programs.ts';
import { inRounds, ratio } from './series.ts';

const size = 20;
const rounds = 5;
const asked = 20;

interface Options {
  members: number;
  activities: number;
}

const options = new Command('npm run bench:million --')
  .description('Makes a company of a million people with ten million activities, and asks it for both reports.')
  .option('--members <count>', 'how many people', thousands, 1_000_000)
  .option('--activities <count>', 'how many gifts and shoutouts, half of each', thousands, 10_000_000)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Options>();

const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-million-'));
const bench = await openBench(join(dataDir, 'data'));
try {
  const service = await bench.startService('million');
  await makeCompany(service, options);
  const files = {
    ...(await readFile(service, 'members/last-recognized')),
    ...(await readFile(service, 'teams/activity')),
  };
  const table = await measure(service, options);
  console.log(
    `\n${options.members.toLocaleString('en')} members, ${options.activities.toLocaleString('en')} activities.`,
  );
  console.log(
    `Medians of ${rounds} rounds, ${asked} requests each; the empty case is a workspace with nobody in it.\n`,
  );
  console.table(table);
  console.log('\nAs CSV, all rows:\n');
  console.table(files);
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function makeCompany({ database, workspaceId }: Service, { members, activities }: Options): Promise<void> {
  const bar = openBar(100, (done, _total, left) => `${done} % written, about ${left} seconds left`);
  const half = activities / 2;
  const company = { workspaceId, members, gifts: half, giftsPerOrder: 20, shoutouts: half, oneLeftIn: 20 };
  await fill(database, company, (share) => bar.update(Math.floor(share * 100)));
  await bench.checkpoint();
  bar.stop();
}

/** Each question to the company beside the same question to an empty workspace. */
async function measure(service: Service, { members, activities }: Options) {
  const present = members - members / 20;
  const page = (count: number) => Math.floor(count / size) - 1;
  const last = 'reports/members/last-recognized?';
  const questions: Record<string, string> = {
    'team activity, first page': 'reports/teams/activity?page=0',
    'team activity, middle page': `reports/teams/activity?page=${page(activities / 2)}`,
    'team activity, last page': `reports/teams/activity?page=${page(activities - activities / 2_000)}`,
    'last recognized, first page': `${last}page=0`,
    'last recognized, last page': `${last}page=${page(present)}`,
    'last recognized, last page with leavers': `${last}includeInactive=true&page=${page(members)}`,
    'last recognized, a filter that matches few': `${last}costCentre=Cost centre 7`,
    'last recognized, two filters': `${last}department=Department 0&location=Location 7`,
    'last recognized, a filter that matches a tenth': `${last}department=Department 1`,
    'last recognized, never': `${last}neverRecognized=true`,
    'members, first page': 'members?page=0',
    'members, a search that matches few': 'members?search=person77777@',
    'members, a search that matches everybody': 'members?search=person',
  };
  const measures: Record<string, () => Promise<number>> = {};
  for (const [name, path] of Object.entries(questions))
    for (const [of, workspaceId] of Object.entries({ company: service.workspaceId, empty: service.workspaceId + 1 })) {
      const address = `/api/v1/${path.replaceAll(' ', '%20')}&size=${size}`;
      measures[`${name}: ${of}`] = () =>
        medianTime(service, service.call('GET', address, undefined, workspaceId), asked);
    }
  await inRounds(1, measures);
  const series = await inRounds(rounds, measures);
  return Object.fromEntries(
    Object.keys(questions).map((name) => {
      const { value, low, high } = ratio(series[`${name}: company`], series[`${name}: empty`]);
      return [
        name,
        { 'times as long as in an empty workspace': round(value), lowest: round(low), highest: round(high) },
      ];
    }),
  );
}

/** A report as a file: how long until its first byte, and how long until the last. */
async function readFile({ url, call }: Service, report: string) {
  const { headers, path } = call('GET', `/api/v1/reports/${report}`);
  const begun = performance.now();
  const response = await fetch(url + path, { headers: { ...headers, Accept: 'text/csv' } });
  let [first, bytes, lines] = [0, 0, -1];
  for await (const chunk of response.body ?? []) {
    first ||= performance.now() - begun;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines++;
  }
  const seconds = (performance.now() - begun) / 1_000;
  return {
    [report]: {
      status: response.status,
      rows: lines,
      MB: round(bytes / 1e6),
      'first byte, s': round(first / 1_000),
      'last byte, s': round(seconds),
    },
  };
}

/** In steps that every part of the history divides evenly. */
function thousands(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count <= 0 || count % 1_000 !== 0)
    throw new InvalidArgumentError('It must be a whole number of thousands.');
  return count;
}
