import type { FeedPost } from '@giftwire/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useReplacePost } from '../../data/feed.ts';
import { useCan } from '../../data/me.tsx';
import { goTo } from '../../shell/place.tsx';
import { useWords } from '../../words/words.tsx';
import { EditText } from './edit-text.tsx';
import { Remove } from './remove.tsx';
import { Report } from './report.tsx';

/** What a person can do with a shoutout: edit and delete their own, report others'. */
export function PostActions({ post }: { post: FeedPost }) {
  const { feed: words } = useWords();
  const can = useCan();
  const queries = useQueryClient();
  const replace = useReplacePost();
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null);
  const { id, isMine, status } = post;
  if (!can('feed:write')) return null;
  if (!isMine) return <Report what={{ post: id }} />;
  const isPending = status === 'PENDING';
  // What is decided about the gifts decides about it.
  if (isPending && post.gift) return null;
  const close = () => setDialog(null);
  return (
    <p className="small doings">
      {status === 'APPROVED' && (
        <button type="button" className="link" onClick={() => setDialog('edit')}>
          {words.edit}
        </button>
      )}
      <button type="button" className="link" onClick={() => setDialog('remove')}>
        {isPending ? words.withdraw : words.remove}
      </button>
      {dialog === 'edit' && (
        <EditText
          title={words.editTitle}
          text={post.message}
          save={async (message) => replace(id, await giftwire.feed.update(id, { message }))}
          onClose={close}
        />
      )}
      {dialog === 'remove' && (
        <Remove
          title={isPending ? words.withdrawTitle : words.removeTitle}
          text={isPending ? words.withdrawText : words.removeText}
          act={isPending ? words.withdraw : words.remove}
          remove={() => giftwire.feed.delete(id)}
          onClose={close}
          onRemoved={() => {
            replace(id, null);
            void queries.invalidateQueries({ queryKey: ['posts'] });
            goTo('/feed', { replace: true });
          }}
        />
      )}
    </p>
  );
}
