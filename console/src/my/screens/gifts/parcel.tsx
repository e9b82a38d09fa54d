import type { MyGiftDetails } from '@giftwire/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';

/** An unopened gift. What it is worth shows once it is open. */
export function Parcel({ gift: { id, senderName } }: { gift: MyGiftDetails }) {
  const { gifts: words } = useWords();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => giftwire.myGifts.open(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['gifts'] }),
  });
  return (
    <>
      <h1 className="said">{words.openTitle(senderName)}</h1>
      <div className="parcel">
        <svg viewBox="0 0 32 26" aria-hidden="true">
          <path d="M4 24C9 23.4 13.4 19.5 16 14C19.4 7 25 1.8 28.6 3.8C32.2 5.9 29.8 14 16 14C2.2 14-.2 5.9 3.4 3.8C7 1.8 12.6 7 16 14C18.6 19.5 23 23.4 28 24" />
        </svg>
        <p className="tag" aria-hidden="true">
          {senderName}
        </p>
      </div>
      <div className="end">
        <Fault error={error} not={words.notOpened} />
        <Action isPending={isPending} onClick={() => mutate()}>
          {words.openIt}
        </Action>
      </div>
    </>
  );
}
