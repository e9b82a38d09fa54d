import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Field } from '../../parts/field.tsx';
import { useWords } from '../../words/words.tsx';

/** Tells the people team about a shoutout or a comment. They do not learn who did. */
export function Report({ what }: { what: { post: number } | { comment: number } }) {
  const { feed: words, parts } = useWords();
  const [isAsking, setIsAsking] = useState(false);
  const [why, setWhy] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () =>
      'post' in what
        ? giftwire.feed.report(what.post, why.trim())
        : giftwire.feed.reportComment(what.comment, why.trim()),
    onSuccess: () => setIsAsking(false),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  if (isSuccess)
    return (
      <span className="small quiet" role="status">
        {words.reported}
      </span>
    );
  return (
    <span className="small">
      <button type="button" className="link" onClick={() => setIsAsking(true)}>
        {words.report}
      </button>
      {isAsking && (
        <Dialog title={words.reportTitle} onClose={() => setIsAsking(false)}>
          <p>{words.reportText}</p>
          <form onSubmit={send}>
            <Field label={words.why} hint={words.whyHint}>
              {(control) => (
                <textarea
                  {...control}
                  className="input"
                  rows={3}
                  maxLength={1_000}
                  value={why}
                  onChange={({ target }) => setWhy(target.value)}
                />
              )}
            </Field>
            <Fault error={error} not={words.notReported} />
            <Action type="submit" isPending={isPending}>
              {words.report}
            </Action>
            <Action look="plain" onClick={() => setIsAsking(false)}>
              {parts.cancel}
            </Action>
          </form>
        </Dialog>
      )}
    </span>
  );
}
