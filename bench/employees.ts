import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { Agent, request } from 'undici';
import { createToken } from '../src/company/access/tokens.ts';
import { theService } from '../src/company/workspaces/audit.ts';
import { round, shown, wholeNumber } from './figures.ts';
import { fill } from './fill.ts';
import { type Call, load } from './load.ts';
import { medianTime } from './measures/pages.ts';
import { openBench, type Service } from './programs.ts';

const people = 50;
const asked = 50;
const manyGifts = 1_000;
/** A few posts, so that what is compared with a full feed is an empty one. */
const fewPosts = 20;

const { members, posts, seconds, visitors, within } = new Command('npm run bench:employees --')
  .description(
    'Fills a company, and measures "My gifts" and the feed at half load, beside a feed that has only begun; then many people open the feed at once.',
  )
  .option('--members <count>', 'how many people', wholeNumber, 100_000)
  .option('--posts <count>', 'how many posts, and as many gifts', wholeNumber, 1_000_000)
  .option('--seconds <count>', 'how long each is measured', wholeNumber, 20)
  .option('--visitors <count>', 'how many people open the feed at once', wholeNumber, 5_000)
  .option('--within <seconds>', 'in how many seconds they come', wholeNumber, 30)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Record<'members' | 'posts' | 'seconds' | 'visitors' | 'within', number>>();

const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-employees-'));
const bench = await openBench(join(dataDir, 'data'));
try {
  const service = await bench.startService('employees');
  const begun = service.workspaceId + 1;
  await makeCompany(service, service.workspaceId, members, posts);
  await makeCompany(service, begun, fewPosts, fewPosts);
  await bench.checkpoint();
  const tokens = await tokensOf(service, service.workspaceId, addresses(people));
  const ofFew = await tokensOf(service, begun, addresses(fewPosts));
  const calls = (path: string, of = tokens) => of.map((token) => callOf(service, token, path));
  const one = tokens.slice(0, 1);
  const table = {
    'My gifts': await atHalfLoad(service, calls('/api/v1/me/gifts')),
    [`My gifts, ${shown(manyGifts)} of them`]: await withManyGifts(service, () =>
      atHalfLoad(service, calls('/api/v1/me/gifts', one)),
    ),
    'Feed of a company that has begun': await atHalfLoad(service, calls('/api/v1/feed', ofFew)),
    Feed: await atHalfLoad(service, calls('/api/v1/feed')),
    'Feed, the last pages': await atHalfLoad(service, calls('/api/v1/feed?after=1000')),
    'My shoutouts': await atHalfLoad(service, calls('/api/v1/me/shoutouts')),
  };
  console.log(
    `\n${shown(members)} people, ${shown(posts)} posts and as many gifts, at half of the rate that one caller after another has.\n`,
  );
  console.table(table);
  console.log(await openAtOnce(service, calls('/api/v1/feed')));
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function makeCompany({ database }: Service, workspaceId: number, size: number, each: number): Promise<void> {
  const giftsPerOrder = Math.max(1, Math.round(each / size));
  const history = { workspaceId, members: size, gifts: each, shoutouts: each, giftsPerOrder };
  await fill(database, history, () => {});
  await database.query('update certificates set viewed_at = now() where workspace_id = $1', [workspaceId]);
  await database.pool.query('vacuum (analyze) certificates');
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, nth) => `person${nth + 1}@example.com`);
}

/** The first person gets gifts of others. */
async function withManyGifts<T>({ database, workspaceId }: Service, measure: () => Promise<T>): Promise<T> {
  await database.query(
    `update certificates
        set member_id = (select id from members where workspace_id = $1 and email = $2)
      where workspace_id = $1
        and id in (select id from certificates where workspace_id = $1 order by id desc limit $3)`,
    [workspaceId, addresses(1)[0], manyGifts],
  );
  return measure();
}

/** A token for each of these people, which acts as them. */
async function tokensOf({ database }: Service, workspaceId: number, emails: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const actsAs of emails) {
    const scopes = ['me:read' as const, 'feed:read' as const];
    const rights = { name: actsAs, scopes, workspaces: [workspaceId], actsAs, lastsMs: null, rateLimitPerMinute: null };
    const { token } = await database.transaction((tx) => createToken(tx, theService, 'test', rights));
    tokens.push(`${workspaceId} ${token}`);
  }
  return tokens;
}

function callOf({ call }: Service, access: string, path: string): Call {
  const [workspace, token] = access.split(' ');
  const { headers, ...rest } = call('GET', path, undefined, Number(workspace));
  return { ...rest, headers: { ...headers, Authorization: `Bearer ${token}` } };
}

/** A page takes the database long enough that 64 callers without a pause would be turned away. */
async function atHalfLoad(service: Service, calls: Call[]) {
  const alone = await medianTime(service, calls[0] as Call, asked);
  const { p50, p99 } = await load({ url: service.url, calls, seconds, rate: 1_000 / alone / 2 });
  return { 'alone, ms': round(alone), 'p50, ms': round(p50), 'p99, ms': round(p99), 'p99 / p50': round(p99 / p50) };
}

/** Each visitor comes at a random moment, with a connection of their own, and asks once. */
async function openAtOnce({ url }: Service, calls: readonly Call[]): Promise<string> {
  const statuses = new Map<string, number>();
  const visit = async (nth: number) => {
    await sleep(Math.random() * within * 1_000);
    const { path, headers } = calls[nth % calls.length] as Call;
    const dispatcher = new Agent({ pipelining: 0 });
    const status = await request(url + path, { headers, dispatcher }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return String(statusCode);
      },
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await dispatcher.close();
  };
  await Promise.all(Array.from({ length: visitors }, (_, nth) => visit(nth)));
  const answers = [...statuses].map(([status, count]) => `${status} × ${shown(count)}`).join(', ');
  return `\n${shown(visitors)} people open the feed within ${within} seconds: ${answers}`;
}
