import type { MySpendingOptions } from '@giftwire/sdk';

/** Something that the company offers for gifts. */
export type MySpendingOption = MySpendingOptions['spendingOptions'][number];
