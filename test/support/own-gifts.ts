import assert from 'node:assert/strict';
import type { MyGift, MyGiftDetails, MyGiftPage } from '../../src/ground/contract/my-gift.ts';
import type { MySpendingOptions, Spending, SpendingPreview } from '../../src/ground/contract/my-spending.ts';
import { whileBusy } from './eventually.ts';
import { aGift, anOrder } from './orders.ts';
import { sealAsIs } from './seals.ts';
import type { Answer, TestService } from './service.ts';
import { openWorkspace } from './workspace.ts';

type Refused = { message: string };
type Asked = Record<string, unknown>;

/** A workspace with Ada and Bob, the gifts that they get, and what they do with them as themselves, at this node or another one. */
export async function openRecipients(service: TestService) {
  const workspace = await openWorkspace(service, {
    people: [
      { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', employeeNumber: '1' },
      { email: 'bob@example.com', firstName: 'Bob', lastName: 'Roy', employeeNumber: '2' },
    ],
  });
  const { id: workspaceId, memberIds } = workspace;
  const actingAs = async (email: string) => {
    return personOf(
      await service.addToken({ workspaces: [workspaceId], actsAs: email, scopes: ['me:read', 'me:write'] }),
    );
  };
  const personOf = ({ token }: { token: string }) => {
    const call = <Body>(path: string, body?: unknown, headers: Record<string, string> = {}, via = service) => {
      const asked = { method: body === undefined ? 'GET' : 'POST', token, workspace: workspaceId, body, headers };
      return whileBusy(() => via.call<Body & Refused>(`/api/v1/me${path}`, asked));
    };
    const done = async <Body>(path: string, body?: unknown): Promise<Body> => {
      const answer = await call<Body>(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const gifts = (query = '') => done<MyGiftPage>(`/gifts${query}`);
    return {
      token,
      call,
      done,
      gifts,
      gift: (id: number) => done<MyGiftDetails>(`/gifts/${id}`),
      open: (id: number) => done<MyGift>(`/gifts/${id}/open`, {}),
      options: (currency = 'CAD') => done<MySpendingOptions>(`/spending-options?currency=${currency}`),
      preview: (asked: Asked) => call<SpendingPreview>('/spending/preview', { ...payroll, ...asked }),
      spend: (asked: Asked, key: string, via: TestService = service): Promise<Answer<Spending & Refused>> =>
        call<Spending>('/spending', { ...payroll, ...asked }, { 'Idempotency-Key': key }, via),
      async left(currency = 'CAD') {
        return (await gifts()).totals.find((total) => total.currency === currency)?.left ?? 0;
      },
    };
  };
  /** The ids of new gifts of Ada, unless another recipient is named, one for each amount. */
  const issue = async (amounts: readonly number[], order: Asked = {}, gift: Asked = {}): Promise<number[]> => {
    const orderItems = amounts.map((amount) => aGift({ amount, ...gift }));
    const asked = { method: 'POST', body: anOrder({ orderItems, ...order }) };
    const { status, body } = await workspace.call<{ requestId: string }>('/api/v1/orders', asked);
    assert.equal(status, 201, JSON.stringify(body));
    return (await workspace.outcome(body.requestId)).certificates.map(({ id }) => id);
  };
  const ada = await actingAs('ada@example.com');
  return {
    workspace,
    adaId: memberIds[0] as number,
    bobId: memberIds[1] as number,
    ada,
    bob: await actingAs('bob@example.com'),
    issue,
    /** The same, opened by Ada. */
    async opened(amounts: readonly number[], order: Asked = {}): Promise<number[]> {
      const ids = await issue(amounts, order);
      for (const id of ids) await ada.open(id);
      return ids;
    },
    async setExpiry(id: number, expiresAt: string | null): Promise<void> {
      const set = 'update certificates set expires_at = $3 where workspace_id = $1 and id = $2';
      await service.database.query(set, [workspaceId, id, expiresAt]);
      await sealAsIs(service.database, workspaceId);
    },
  };
}

const payroll = { currency: 'CAD', spendingOption: 'payroll' };
