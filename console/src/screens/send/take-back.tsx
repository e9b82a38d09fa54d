import type { Gift } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';

/** An order of the screen Send has fewer gifts. */
const most = 100;

/**
 * Cancels the gifts of an order while none of them was emailed, printed or opened, so recipients do not notice. Once an email has gone out there is
 * nothing to take back without a link that stops working, so the button goes away.
 */
export function TakeBack({ requestId, onTaken }: { requestId: string; onTaken: (wasMailed: boolean) => void }) {
  const { send } = useWords();
  const queries = useQueryClient();
  const read = () => giftwire.gifts.list({ requestId, size: most });
  const { data } = useQuery({ queryKey: ['gifts', 'of order', requestId], queryFn: read });
  const taking = useMutation({
    mutationFn: async (gifts: readonly Gift[]) => {
      for (const { id } of gifts) await giftwire.gifts.cancel(id);
      return (await read()).gifts.some(({ sentAt }) => sentAt !== null);
    },
    onSuccess: onTaken,
    onSettled: () => queries.invalidateQueries({ queryKey: ['gifts'] }),
  });
  const gifts = data?.gifts.filter(({ state }) => state === 'ISSUED') ?? [];
  const isUnseen =
    gifts.length > 0 && data?.gifts.every(({ sentAt, viewedAt }) => sentAt === null && viewedAt === null);
  return (
    <>
      {isUnseen && (
        <Button variant="subtle" ml={8} loading={taking.isPending} onClick={() => taking.mutate(gifts)}>
          {send.takeBack(gifts.length)}
        </Button>
      )}
      <Fault error={taking.error} />
    </>
  );
}
