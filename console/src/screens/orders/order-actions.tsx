import type { OrderDetails } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { printAddress } from '../../data/download.ts';
import { useCan } from '../../data/me.tsx';
import { Icon } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import { useWords } from '../../words/words.tsx';

/** What can be done with all gifts of an order at once. */
export function OrderActions({ order, bulk }: { order: OrderDetails; bulk: ReactNode }) {
  const { orders: words } = useWords();
  const can = useCan();
  const { requestId } = order;
  if (order.requestStatus !== 'COMPLETED') return null;
  return (
    <>
      {can('gifts:manage') && (
        <Button
          component="a"
          leftSection={<Icon name="print" />}
          href={printAddress({ requestId, perPage: '8' })}
          target="_blank"
        >
          {words.print}
        </Button>
      )}
      {can('gifts:read') && (
        <GoButton to="/gifts" search={{ requestId } as never}>
          {words.seeGifts}
        </GoButton>
      )}
      {can('gifts:manage') && bulk}
    </>
  );
}
