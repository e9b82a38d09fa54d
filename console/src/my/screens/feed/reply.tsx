import type { FeedPost } from '@giftwire/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../../../parts/icon.tsx';
import { giftwire } from '../../data/client.ts';
import { useReplacePost } from '../../data/feed.ts';
import { fullName } from '../../data/people.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { NoteForm } from '../../parts/note-form.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** A recipient replies with a thank-you note, once. */
export function Reply({ post }: { post: FeedPost }) {
  const { shoutouts: words } = useWords();
  const formats = useFormats();
  const replace = useReplacePost();
  const [isOpen, setIsOpen] = useState(false);
  const name = fullName(post.sender);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (text: string) => giftwire.myShoutouts.thank(post.id, text),
    onSuccess: ({ thanks }) => {
      replace(post.id, { thankedAt: thanks[0]?.at ?? new Date().toISOString() });
      setIsOpen(false);
    },
  });
  if (post.thankedAt !== null)
    return (
      <p className="small locked">
        <Icon name="ok" size={15} />
        {words.replied(formats.date(post.thankedAt))}
      </p>
    );
  return (
    <>
      <button type="button" className="pill" onClick={() => setIsOpen(true)}>
        <Icon name="talk" />
        {words.reply}
      </button>
      {isOpen && (
        <Dialog title={words.replyTo(name)} onClose={() => setIsOpen(false)}>
          <NoteForm
            draft={`shoutout:${post.id}`}
            label={words.label}
            hint={words.hint(name)}
            most={1_000}
            act={words.send}
            not={words.notSent}
            error={error}
            isPending={isPending}
            onSend={mutate}
          />
        </Dialog>
      )}
    </>
  );
}
