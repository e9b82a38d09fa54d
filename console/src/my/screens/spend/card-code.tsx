import { useMutation } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** The code of a gift card. It shows when the person asks for it. */
export function CardCode({ id }: { id: number }) {
  const { spend: words } = useWords();
  const formats = useFormats();
  const { mutate, data, isPending, error } = useMutation({ mutationFn: () => giftwire.mySpending.card(id) });
  if (!data)
    return (
      <div className="block">
        <Fault error={error} />
        <Action isPending={isPending} onClick={() => mutate()}>
          {words.showCode}
        </Action>
      </div>
    );
  return (
    <div className="block centred" role="status">
      <p className="small quiet">
        {words.cardCode}, <span className="amount">{formats.money(data.amount, data.currency)}</span>
      </p>
      <code className="code">{data.code}</code>
      {data.pin && (
        <p>
          {words.pin} <b>{data.pin}</b>
        </p>
      )}
      {data.expiresOn && <p className="small quiet">{words.until(formats.date(data.expiresOn))}</p>}
    </div>
  );
}
