import Fastify from 'fastify';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { Agent, request } from 'undici';

/**
 * A gift as one would write it first, with the same libraries: each step is one statement of pg's pool, the email is a text that is already written, and
 * events are posted one at a time. It checks, signs, logs and repeats nothing, so it has much less to do than Giftwire has.
 */
const { DATABASE_URL, SMTP_URL, HOOK_URL, MAIL, PORT } = process.env;
const mail = JSON.parse(MAIL as string) as Record<string, unknown>;
/** As many emails and posts under way as Giftwire has. */
const atOnce = 10;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
const mailer = createTransport({ url: SMTP_URL as string, pool: true, maxConnections: atOnce });
const agent = new Agent({ connections: atOnce });
const app = Fastify();

await pool.query(`
  create table if not exists gifts (
    id         bigint generated always as identity primary key,
    token      uuid not null default gen_random_uuid() unique,
    body       jsonb not null,
    state      text not null default 'WAITING',
    viewed_at  timestamptz,
    claimed_at timestamptz,
    created_at timestamptz not null default now()
  );
  create table if not exists redemptions (
    id      bigint generated always as identity primary key,
    gift_id bigint not null references gifts (id),
    amount  numeric not null,
    spent_at timestamptz not null default now()
  )`);

async function tell(type: string, id: number): Promise<void> {
  const body = JSON.stringify({ type, id, createdAt: new Date(), data: { gift: id, amount: 25, currency: 'CAD' } });
  const headers = { 'content-type': 'application/json' };
  const response = await request(HOOK_URL as string, { dispatcher: agent, method: 'POST', headers, body });
  await response.body.dump();
}

/** Work that waits for its turn, so many at once. */
const waiting: (() => Promise<void>)[] = [];
let running = 0;
function queue(work: () => Promise<void>): void {
  waiting.push(work);
  if (running < atOnce) void runInTurn();
}
async function runInTurn(): Promise<void> {
  running++;
  for (let work = waiting.shift(); work; work = waiting.shift()) await work();
  running--;
}

app.post('/orders', async (incoming, reply) => {
  const { rows } = await pool.query('insert into gifts (body) values ($1) returning id, token', [incoming.body]);
  const [{ id, token }] = rows;
  queue(async () => {
    await pool.query(`update gifts set state = 'COMPLETED' where id = $1`, [id]);
    await mailer.sendMail(mail);
    await pool.query(`update gifts set state = 'SENT' where id = $1`, [id]);
    await tell('order.completed', id);
    await tell('gift.sent', id);
  });
  return reply.code(201).send({ token });
});

app.get('/left', async () => ({ left: waiting.length + running }));

app.post<{ Params: { token: string } }>('/look/:token', async ({ params }) => {
  const { rows } = await pool.query('update gifts set viewed_at = now() where token = $1 returning id, body', [
    params.token,
  ]);
  queue(() => tell('gift.viewed', rows[0].id));
  return rows[0];
});

app.post<{ Params: { token: string } }>('/claim/:token', async ({ params }) => {
  const { rows } = await pool.query(
    `update gifts set claimed_at = now(), state = 'CLAIMED' where token = $1 and claimed_at is null returning id, body`,
    [params.token],
  );
  queue(() => tell('gift.claimed', rows[0].id));
  return rows[0];
});

app.post<{ Params: { token: string } }>('/spend/:token', async ({ params }, reply) => {
  const { rows } = await pool.query(
    `with spent as (update gifts set state = 'SPENT' where token = $1 and state = 'CLAIMED' returning id)
     insert into redemptions (gift_id, amount) select id, 25 from spent returning gift_id as id`,
    [params.token],
  );
  queue(() => tell('gift.redeemed', rows[0].id));
  return reply.code(201).send(rows[0]);
});

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
