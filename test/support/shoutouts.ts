import assert from 'node:assert/strict';
import type { Reason } from '../../src/ground/contract/reason.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import type { TestWorkspace } from './workspace.ts';

export const ada = {
  email: 'ada@example.com',
  employeeNumber: '1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  pictureUrl: 'https://example.com/ada.jpg',
};
export const bob = { email: 'Bob@example.com', employeeNumber: '2', firstName: 'Bob' };

/** The fields of a shoutout to one person that was not decided. */
export const undecided = { otherReceivers: 0, decidedBy: null, decidedAt: null, decidedOn: null, decisionReason: null };

export async function addReason({ call }: TestWorkspace, description: string): Promise<Reason> {
  const answer = await call<Reason>('/api/v1/reasons', { method: 'POST', body: { description } });
  assert.equal(answer.status, 201);
  return answer.body;
}

/** Counts of all rows that a refused shoutout must leave unchanged. */
export function countEverything(database: Queryable, { id }: TestWorkspace): Promise<unknown> {
  return database.query(
    `select (select count(*) from members where workspace_id = $1)        as members,
            (select count(*) from activities where workspace_id = $1)     as activities,
            (select count(*) from shoutouts where workspace_id = $1)      as shoutouts,
            (select total from activity_counters where workspace_id = $1) as total`,
    [id],
  );
}
