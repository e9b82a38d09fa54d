import type { Spending } from '@giftwire/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Face } from '../../../parts/face.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { giftwire } from '../../data/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { NoteForm } from '../../parts/note-form.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

type Part = Spending['gifts'][number];

/** The people who gave it are named, not forgotten: each can be told what it became. */
export function Tell({ gifts, currency }: { gifts: readonly Part[]; currency: string }) {
  const { spend: words } = useWords();
  const formats = useFormats();
  const [to, setTo] = useState<Part | null>(null);
  return (
    <section className="block">
      <h2>{words.tellTitle}</h2>
      <p className="small quiet">{words.tellText}</p>
      <ul className="people">
        {gifts.map((part) => (
          <li className="person" key={part.giftId}>
            <Face name={part.senderName} size={40} />
            <div>
              <b>{part.senderName}</b>
              <p className="small amount">{formats.money(part.amount, currency)}</p>
            </div>
            {part.thanks === null ? (
              <button
                type="button"
                className="pill"
                aria-label={words.writeTo(part.senderName)}
                onClick={() => setTo(part)}
              >
                {words.write}
              </button>
            ) : (
              <span className="small quiet">
                <Icon name="ok" size={15} /> {words.written}
              </span>
            )}
          </li>
        ))}
      </ul>
      {to && <Write part={to} onClose={() => setTo(null)} />}
    </section>
  );
}

function Write({ part: { giftId, senderName }, onClose }: { part: Part; onClose: () => void }) {
  const { spend: words, gifts: giftWords } = useWords();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (text: string) => giftwire.myGifts.thank(giftId, text),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['gifts'] });
      onClose();
    },
  });
  return (
    <Dialog title={words.writeTo(senderName)} onClose={onClose}>
      <NoteForm
        draft={`gift:${giftId}`}
        label={giftWords.thankLabel}
        hint={giftWords.thankHint(senderName)}
        most={500}
        not={giftWords.notThanked}
        error={error}
        isPending={isPending}
        onSend={mutate}
      />
    </Dialog>
  );
}
