import type { FeedComment, FeedPost } from '@giftwire/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useReplacePost } from '../../data/feed.ts';
import { useKept } from '../../data/kept.ts';
import { useCan } from '../../data/me.tsx';
import { fullName } from '../../data/people.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Field } from '../../parts/field.tsx';
import { Pages } from '../../parts/pages.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { EditText } from './edit-text.tsx';
import { Remove } from './remove.tsx';
import { Report } from './report.tsx';

/** What was said about a shoutout, the oldest first, on a gold rule. */
export function Comments({ post }: { post: FeedPost }) {
  const can = useCan();
  const read = useInfiniteQuery({
    queryKey: ['post', post.id, 'comments'],
    queryFn: ({ pageParam }) => giftwire.feed.comments(post.id, { size: 50, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: 60_000,
  });
  return (
    <>
      <Pages read={read} empty={null} isEmpty={([first]) => first?.comments.length === 0}>
        {(pages) => (
          <ul className="comments">
            {pages
              .flatMap(({ comments }) => comments)
              .map((comment) => (
                <Comment key={comment.id} comment={comment} post={post} />
              ))}
          </ul>
        )}
      </Pages>
      {can('feed:write') && <AddComment post={post} />}
    </>
  );
}

function Comment({ comment, post }: { comment: FeedComment; post: FeedPost }) {
  const { feed: words } = useWords();
  const formats = useFormats();
  const queries = useQueryClient();
  const replace = useReplacePost();
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null);
  const { id, author, text, createdAt, editedAt, isMine } = comment;
  const facts = [author.self ? words.youStart : fullName(author), formats.moment(createdAt), editedAt && words.edited];
  const refresh = () => queries.invalidateQueries({ queryKey: ['post', post.id, 'comments'] });
  return (
    <li>
      <p className="letter">{text}</p>
      <div className="small quiet facts">
        {facts.filter(Boolean).join(' · ')}
        {isMine ? (
          <span>
            <button type="button" className="link" onClick={() => setDialog('edit')}>
              {words.edit}
            </button>
            <button type="button" className="link" onClick={() => setDialog('remove')}>
              {words.remove}
            </button>
          </span>
        ) : (
          <Report what={{ comment: id }} />
        )}
      </div>
      {dialog === 'edit' && (
        <EditText
          title={words.editComment}
          text={text}
          save={async (changed) => {
            await giftwire.feed.updateComment(id, changed);
            await refresh();
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'remove' && (
        <Remove
          title={words.removeComment}
          text={words.removeCommentText}
          act={words.remove}
          remove={() => giftwire.feed.deleteComment(id)}
          onClose={() => setDialog(null)}
          onRemoved={() => {
            replace(post.id, { commentCount: Math.max(0, post.commentCount - 1) });
            void refresh();
          }}
        />
      )}
    </li>
  );
}

function AddComment({ post }: { post: FeedPost }) {
  const { feed: words } = useWords();
  const queries = useQueryClient();
  const replace = useReplacePost();
  const [text, setText] = useKept(`comment:${post.id}`, '');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => giftwire.feed.comment(post.id, text.trim()),
    onSuccess: async () => {
      setText('');
      replace(post.id, { commentCount: post.commentCount + 1 });
      await queries.invalidateQueries({ queryKey: ['post', post.id, 'comments'] });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !isPending) mutate();
  };
  return (
    <form className="end add-comment" onSubmit={send}>
      <Field label={words.addComment} hint={words.commentHint}>
        {(control) => (
          <textarea
            {...control}
            className="input"
            rows={2}
            maxLength={1_000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <Fault error={error} not={words.notSent} />
      {text.trim() !== '' && (
        <Action type="submit" isPending={isPending}>
          {words.send}
        </Action>
      )}
    </form>
  );
}
