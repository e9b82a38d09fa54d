import { useMutation } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';

interface GiftCodeProps {
  id: number;
  /** The shop whose link the code is filled into. */
  spendingOption?: string;
}

/** The gift's own code, for a till or the company's shop. It shows when the person asks for it. */
export function GiftCode({ id, spendingOption }: GiftCodeProps) {
  const { gifts: words } = useWords();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => giftwire.myGifts.code(id, spendingOption),
  });
  return (
    <section className="block">
      <Fault error={error} />
      {!data && (
        <Action look="plain" isPending={isPending} onClick={() => mutate()}>
          {words.giftCode}
        </Action>
      )}
      {data && (
        <div role="status">
          <h2>{words.giftCodeTitle}</h2>
          <p className="second small">{words.giftCodeText}</p>
          <code className="code">{data.code}</code>
          {data.link && (
            <p className="block">
              <a className="button" href={data.link} rel="noreferrer" target="_blank">
                {words.toShop}
              </a>
            </p>
          )}
        </div>
      )}
    </section>
  );
}
