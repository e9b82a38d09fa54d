import assert from 'node:assert/strict';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { type Gift, readGiftsById } from '../../src/giving/gifts/gift.ts';
import { type Move, moveGifts } from '../../src/giving/gifts/moves.ts';
import { shortTokenHash } from '../../src/giving/gifts/tokens.ts';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { parseKeys } from './keys.ts';
import { aGift, anOrder } from './orders.ts';
import type { TestService } from './service.ts';

type Certificate = OrderRecord['certificates'][number];

/** The key of services whose gift tokens a test derives itself. */
export const tokenKey = '1:a key that only the tests of gifts know';
export const keys = parseKeys(tokenKey);

export interface PageAnswer {
  status: number;
  text: string;
  headers: Headers;
}

/** What recipients and operators do with the gifts of a service. */
export function createGifts(service: TestService) {
  const { database, workspaceId } = service;
  const order = async (gift: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) => {
    const recipient = { email: 'mei@example.com', firstName: 'Mei', lastName: 'Tanaka' };
    const { certificates } = await service.fulfilled(
      anOrder({ orderItems: [aGift({ recipient, ...gift })], ...changes }),
    );
    return certificates[0] as Certificate;
  };
  const read = async ({ id }: Pick<Certificate, 'id'>) => (await readGiftsById(database, workspaceId, [id]))[0] as Gift;
  return {
    order,
    read,
    link: ({ longToken }: Certificate) => `${service.url}/g#${longToken}`,
    post: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      post(service.url + path, fields, headers),
    /** The states of a gift's reminders. The first one is planned when the gift has been mailed. */
    async reminders({ id }: Pick<Certificate, 'id'>): Promise<string[]> {
      const rows = await database.query<{ state: string }>(
        `select m.state
           from mails m
           join certificates c using (workspace_id, request_id, position)
          where c.id = $1
            and m.kind = 'REMINDER'`,
        [id],
      );
      return [...new Set(rows.map(({ state }) => state))];
    },
    set: (settings: string) => database.query(`update workspaces set ${settings} where id = ${workspaceId}`),
    advance: (seconds: number) => database.transaction((tx) => advanceClock(tx, workspaceId, seconds)),
    async move(gift: Pick<Certificate, 'id'>, type: Move['type'], detail: Record<string, unknown> = {}) {
      const moves = [{ type, gift: await read(gift), detail }];
      const moved = await inWorkspace(database, workspaceId, (tx) => moveGifts(tx, workspaceId, moves));
      assert.equal(moved.length, 1, `the gift did not take ${type}`);
    },
    /** Replaces the tokens of a gift, as a correction of its address does. */
    async reissue(certificate: Pick<Certificate, 'id'>) {
      const gift = await read(certificate);
      const edition = gift.edition + 1;
      const hash = shortTokenHash(keys, { ...gift, edition }).toString();
      const move: Move = { type: 'REISSUED', gift, detail: { edition, shortTokenHash: hash }, data: { edition } };
      await inWorkspace(database, workspaceId, (tx) => moveGifts(tx, workspaceId, [move]));
      return read(certificate);
    },
    /** The types of all events of what recipients did with gifts. Mails are sent beside that. */
    async events(): Promise<string[]> {
      const rows = await database.query<{ type: string }>(
        `select type from events where workspace_id = $1 and type like 'gift.%' and type <> 'gift.sent' order by number`,
        [workspaceId],
      );
      return rows.map(({ type }) => type);
    },
  };
}

async function post(url: string, fields: Record<string, string>, headers: Record<string, string>): Promise<PageAnswer> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** The first title on a page, without markup. */
export function titleOf({ text }: Pick<PageAnswer, 'text'>): string {
  return /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1] ?? '';
}
