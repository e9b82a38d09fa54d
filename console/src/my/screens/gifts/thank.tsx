import type { MyGift } from '@giftwire/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { NoteForm } from '../../parts/note-form.tsx';
import { useWords } from '../../words/words.tsx';

/** A thank-you note to the sender, once; then the note that was sent. */
export function Thank({ gift }: { gift: MyGift }) {
  const { gifts: words } = useWords();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (text: string) => giftwire.myGifts.thank(gift.id, text),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['gifts'] }),
  });
  if (gift.thanks !== null)
    return (
      <section className="block">
        <h2>{words.thanked}</h2>
        <p className="letter ruled">{gift.thanks}</p>
      </section>
    );
  return (
    <section className="block">
      <h2>{words.thankTitle(gift.senderName)}</h2>
      <NoteForm
        draft={`gift:${gift.id}`}
        label={words.thankLabel}
        hint={words.thankHint(gift.senderName)}
        most={500}
        not={words.notThanked}
        error={error}
        isPending={isPending}
        onSend={mutate}
      />
    </section>
  );
}
