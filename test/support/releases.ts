import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { projectDir } from './process.ts';

/** What was seen of a release before its database was dumped (scripts/record-release.ts). */
export interface Facts {
  tokenKey: string;
  token: string;
  finished: OrderRecord;
  /** An order that was accepted and that no worker had seen yet. */
  waiting: string;
  activity: { totalElements: number; activities: Record<string, unknown>[] };
  recognized: { totalElements: number; teamMembers: Record<string, unknown>[] };
}

/** Where the databases of the releases are. */
export const releases = join(projectDir, 'test/upgrades');

/** A database as a release left it behind, and what was seen of it. */
export async function restoreRelease(version: string): Promise<{ database: TestDatabase; facts: Facts }> {
  const sql = gunzipSync(readFileSync(join(releases, `${version}.sql.gz`))).toString();
  const facts: Facts = JSON.parse(sql.slice('-- '.length, sql.indexOf('\n')));
  const database = await createTestDatabase({ template: 'template1', mayDisagree: 'the test itself says where' });
  const client = await database.pool.connect();
  await client.query(sql);
  // The dump has changed the session's settings.
  client.release(true);
  return { database, facts };
}
