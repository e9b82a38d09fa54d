import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const lockKey = 0x676966_74; // "gift"
const askAgainEveryMs = 200;

/** Asks again and again: a statement that waits holds a snapshot, and an index that another node builds concurrently would wait for that. */
export async function takeMigrationTurn(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isOurs"', [lockKey]);
    if (rows[0].isOurs) return;
    await sleep(askAgainEveryMs);
  }
}
