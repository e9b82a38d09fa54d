import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { inWorkspace } from '../src/company/workspaces/lock.ts';
import { readGiftsById } from '../src/giving/gifts/gift.ts';
import { moveGifts } from '../src/giving/gifts/moves.ts';
import type { Database } from '../src/ground/database/database.ts';
import { readTableSizes } from '../src/ground/database/sizes.ts';
import { openBench, type Service } from './programs.ts';

const options = new Command('npm run bench:sizes --')
  .description(
    'Sends gifts through a service, emails and claims them, and prints what a million of them take on the disk.',
  )
  .option('--gifts <count>', 'how many', thousands, 20_000)
  .option('--per-order <count>', 'gifts in an order: 1, 2, 4, 5, 8, 10, 20 …', Number, 1)
  .option('--people <count>', 'how many people receive them', thousands, 1_000)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<{ gifts: number; perOrder: number; people: number }>();

const atOnce = 32;
const million = 1_000_000;

const folder = await mkdtemp(join(tmpdir(), 'giftwire-sizes-'));
const bench = await openBench(join(folder, 'data'));
try {
  const service = await bench.startService('sizes', { GIFTWIRE_SMTP_URL: 'outbox' });
  const before = await sizesOf(service.database);
  await send(service);
  await untilSent(service);
  await claim(service);
  const after = await sizesOf(service.database);
  const rows = after
    .map(({ table, bytes }) => ({ table, bytes: bytes - (before.find((one) => one.table === table)?.bytes ?? 0) }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  const { gifts, perOrder, people } = options;
  console.log(
    `\n${gifts.toLocaleString('en')} gifts to ${people.toLocaleString('en')} people, ${perOrder} in an order, each emailed and claimed.\n`,
  );
  for (const { table, bytes } of [...rows, { table: 'all', bytes: rows.reduce((sum, one) => sum + one.bytes, 0) }])
    console.log(`| ${table} | ${Math.round(bytes / gifts)} | ${Math.round(((bytes / gifts) * million) / 1e6)} |`);
} finally {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
}

async function sizesOf(database: Database) {
  await database.pool.query('vacuum (full, analyze)');
  const tables = await readTableSizes(database);
  return tables.map(({ table, bytes, indexBytes }) => ({ table, bytes: bytes + indexBytes }));
}

async function send(service: Service): Promise<void> {
  const { gifts, perOrder, people } = options;
  let sent = 0;
  const work = async () => {
    while (sent < gifts) {
      const first = sent;
      sent += perOrder;
      const orderItems = Array.from({ length: perOrder }, (_, nth) => ({
        recipient: { email: `person${(first + nth) % people}@example.com` },
        amount: 25,
        message: 'You made the new colleagues feel at home. Thank you for the time that you took.',
      }));
      const order = { currency: 'CAD', language: 'EN_CA', orderItems };
      const { path, headers, method, body } = service.call('POST', '/api/v1/orders', order);
      const key = { 'Idempotency-Key': `order-${first}` };
      const response = await fetch(service.url + path, { method, headers: { ...headers, ...key }, body: body ?? null });
      if (response.status === 503) sent = first;
      else if (response.status !== 201) throw new Error(`an order got ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function untilSent({ database, workspaceId }: Service): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ sent: number }>(
      `select count(*) as sent from mails where workspace_id = $1 and kind = 'GIFT' and state = 'SENT'`,
      [workspaceId],
    );
    if ((row?.sent ?? 0) >= options.gifts) return;
    await sleep(500);
  }
}

async function claim({ database, workspaceId }: Service): Promise<void> {
  const ids = await database.query<{ id: number }>('select id from certificates where workspace_id = $1', [
    workspaceId,
  ]);
  for (let at = 0; at < ids.length; at += 500)
    await inWorkspace(database, workspaceId, async (tx) => {
      const piece = ids.slice(at, at + 500).map(({ id }) => id);
      const gifts = await readGiftsById(tx, workspaceId, piece);
      await moveGifts(tx, workspaceId, [
        ...gifts.map((gift) => ({ type: 'VIEWED' as const, gift })),
        ...gifts.map((gift) => ({ type: 'CLAIMED' as const, gift })),
      ]);
    });
}

function thousands(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count <= 0 || count % 1_000 !== 0)
    throw new InvalidArgumentError('It must be a whole number of thousands.');
  return count;
}
