import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useWords } from '../../words/words.tsx';
import type { Choice } from './use-decision.ts';

/** The comment that the sender reads. To decline, one is required: the sender reads why. */
export function useComment(sender: string, hint: string) {
  const { approvals: words } = useWords();
  const input = useRef<HTMLTextAreaElement>(null);
  const [comment, setComment] = useState('');
  const [isMissing, setMissing] = useState(false);
  const said = comment.trim();
  const field = (
    <Textarea
      ref={input}
      data-autofocus
      label={words.comment(sender)}
      description={hint}
      error={isMissing && said === '' && words.missingComment}
      maxLength={1_000}
      autosize
      minRows={3}
      value={comment}
      onChange={({ target }) => setComment(target.value)}
    />
  );
  /** Passes the comment on, unless it is missing. */
  const check = (decision: Choice, decide: (comment: string) => void) => {
    if (decision === 'APPROVED' || said !== '') return decide(said);
    setMissing(true);
    input.current?.focus();
  };
  return { field, check, clear: () => setComment('') };
}
