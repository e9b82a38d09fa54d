import assert from 'node:assert/strict';
import type { GiftDetails, GiftPage } from '../../src/ground/contract/gift.ts';
import { aGift } from './orders.ts';
import { sealAsIs } from './seals.ts';
import { type Answer, startService, type TestService } from './service.ts';
import { openWorkspace } from './workspace.ts';

/**
 * An API that may mail, and a worker that sends nothing: so each mail stays as the test has made it. Returns what the sender of gifts
 * does, and ways to put gifts and mails into any state.
 */
export async function openGifts(tokenKey = 'k'.repeat(32)) {
  const { database } = await startService({ mailServer: 'off', role: 'worker', tokenKey });
  const service = await startService({ mailServer: 'outbox', role: 'api', tokenKey, database });
  return { service, ...(await giftsOf(service)) };
}

export async function giftsOf(service: TestService) {
  const { database } = service;
  const workspace = await openWorkspace(service);
  const path = (id: number) => `/api/v1/gifts/${id}`;
  const change = (set: string) => async (id: number, value: unknown) => {
    await database.query(`update certificates set ${set} = $3 where workspace_id = $1 and id = $2`, [
      workspace.id,
      id,
      value,
    ]);
    await sealAsIs(database, workspace.id);
  };
  const repair = (id: number, verb: string, body?: unknown, headers = {}): Promise<Answer<GiftDetails>> =>
    workspace.call<GiftDetails>(`${path(id)}/${verb}`, {
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    });
  return {
    workspace,
    /** The ids of new gifts, one for each recipient. */
    async issue(...recipients: object[]): Promise<number[]> {
      const { certificates } = await workspace.outcome(
        await workspace.submit(recipients.map((recipient) => aGift({ recipient }))),
      );
      return certificates.map(({ id }) => id);
    },
    gift: (id: number) => workspace.read<GiftDetails>(path(id)),
    list: (query = '') => workspace.read<GiftPage>(`/api/v1/gifts${query}`),
    repair,
    /** A repair that must succeed. */
    async repaired(id: number, verb: string, body?: unknown): Promise<GiftDetails> {
      const answer = await repair(id, verb, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    setState: change('state'),
    setExpiry: change('expires_at'),
    /** Makes the mail about a gift, of its current edition, as if that had become of it. */
    async setMail(id: number, state: string, dueAt = new Date()): Promise<void> {
      await database.query(
        `insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at)
         select workspace_id, request_id, position, 'GIFT', edition, 0, $3, $4
           from certificates
          where workspace_id = $1 and id = $2
             on conflict (workspace_id, request_id, position, kind, edition, nth)
             do update set state = excluded.state, due_at = excluded.due_at`,
        [workspace.id, id, state, dueAt],
      );
    },
  };
}
