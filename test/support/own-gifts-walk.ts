import type { openWalk } from './prism.ts';

type Step = Awaited<ReturnType<typeof openWalk>>['step'];

export interface Walked {
  /** What the owner of the gifts sends: the cookie of a session. */
  asked: { token: null; headers: Record<string, string> };
  scopeless: string;
  /** Four gifts of 25 CAD: two that nobody has opened, and two claimed ones. */
  gifts: readonly [sealed: number, open: number, one: number, two: number];
  /** Of whom the spending option `cards` has a gift card over 30 CAD. */
  retailer: string;
}

/** Every operation about a person's own gifts, with success and with an error. */
export async function walkOwnGifts(step: Step, { asked, scopeless, gifts, retailer }: Walked): Promise<void> {
  const [sealed, open] = gifts;
  const unknown = { ...asked, path: { id: 999_999_999 } };
  const path = { id: sealed };
  await step('listMyGifts', 200, { ...asked, query: '?size=1' });
  await step('listMyGifts', 400, { ...asked, query: '?after=x' });
  await step('listMyGifts', 403, { token: scopeless });
  await step('getMyGift', 200, { ...asked, path });
  await step('openMyGift', 200, { ...asked, path });
  await step('claimMyGift', 200, { ...asked, path, body: {} });
  await step('sendMyVerificationCode', 200, { ...asked, path });
  await step('thankForMyGift', 200, { ...asked, path, body: { text: 'How kind!' } });
  await step('thankForMyGift', 409, { ...asked, path: { id: open }, body: { text: 'How kind!' } });
  await step('readMyGiftCode', 200, { ...asked, path, body: {} });
  await step('readMyGiftCode', 409, { ...asked, path: { id: open }, body: {} });
  await step('getMyGift', 404, unknown);
  for (const operationId of ['openMyGift', 'sendMyVerificationCode']) await step(operationId, 404, unknown);
  await step('claimMyGift', 404, { ...unknown, body: { code: '000000' } });
  await step('listMySpendingOptions', 200, { ...asked, query: '?currency=CAD' });
  await step('listMySpendingOptions', 400, { ...asked, query: '?currency=XYZ' });
  const body = { amount: 30, currency: 'CAD', spendingOption: 'cards', retailer };
  const keyed = { ...asked, headers: { ...asked.headers, 'Idempotency-Key': 'a card' } };
  await step('previewMySpending', 200, { ...asked, body });
  await step('previewMySpending', 402, { ...asked, body: { ...body, amount: 3_000 } });
  const card = await step('spendMyGifts', 201, { ...keyed, body });
  await step('spendMyGifts', 422, { ...keyed, body: { ...body, amount: 31 } });
  await step('getMySpending', 200, { ...asked, path: card });
  await step('getMySpending', 404, unknown);
  await step('readMyCard', 200, { ...asked, path: card });
  await step('readMyCard', 404, unknown);
  await step('reverseMySpending', 409, { ...asked, path: card });
  const again = { ...asked, headers: { ...asked.headers, 'Idempotency-Key': 'salary' } };
  const salary = { amount: 10, currency: 'CAD', spendingOption: 'payroll' };
  await step('reverseMySpending', 200, { ...asked, path: await step('spendMyGifts', 201, { ...again, body: salary }) });
}
