import type { OrderRecord } from '../../src/ground/contract/order.ts';
import type { SpendingOptionSetting } from '../../src/ground/contract/spending-option.ts';
import { whileBusy } from './eventually.ts';
import type { createGifts, PageAnswer } from './gift-page.ts';
import { codeFile, createPools } from './pools.ts';
import { offerSpendingOption } from './redemptions.ts';
import type { TestService } from './service.ts';

type Gifts = ReturnType<typeof createGifts>;
type Certificate = OrderRecord['certificates'][number];

/** A workspace that offers every kind of spending option, and what owners do on the pages of their gifts. */
export async function offerAllOptions(service: TestService, gifts: Gifts) {
  const { database, workspaceId } = service;
  const pools = createPools((path, asked) => whileBusy(() => service.call(path, asked)));
  const { id: poolId } = await pools.add({ name: 'Cards' });
  const offer = (id: string, setting: Partial<SpendingOptionSetting>) =>
    offerSpendingOption(database, workspaceId, id, setting);
  await offer('cards', { kind: 'POOL', name: 'A gift card', poolId, position: 1 });
  await offer('shop', {
    kind: 'TILL',
    name: 'In the company shop',
    link: 'https://shop.example.com/?gift={code}',
    position: 2,
  });
  await offer('charity', { kind: 'HAND', name: 'Give it to charity', position: 3 });
  const post = (path: string, fields: Record<string, string>) => whileBusy(() => gifts.post(path, fields));
  return {
    pools,
    poolId,
    offer,
    fill: (...lines: string[]) => pools.upload(poolId, codeFile(...lines)),
    /** A gift that its recipient has claimed on its page. */
    async claimed(
      amount = 75,
      changes: Record<string, unknown> = {},
      order: Record<string, unknown> = {},
    ): Promise<Certificate> {
      const certificate = await gifts.order({ amount, ...changes }, order);
      await post('/g/claim', { token: certificate.longToken });
      return certificate;
    },
    /** Goes through both steps, and returns the last answer. */
    async spend(token: string, choice: Record<string, string>): Promise<PageAnswer> {
      const asked = await post('/g/confirm', { token, ...choice });
      return post('/g/spend', { token, ...choice, key: keyOf(asked) });
    },
  };
}

/** The key in the form that confirms. */
export function keyOf({ text }: Pick<PageAnswer, 'text'>): string {
  return /name="key" value="([^"]+)"/.exec(text)?.[1] ?? '';
}
