import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useWords } from '../../words/words.tsx';
import type { Choice } from './use-decision.ts';

interface DecideDialogProps {
  decision: Choice;
  what: string;
  sender: string;
  /** No level comes after this one. */
  isLast: boolean;
  isSaving: boolean;
  fault: unknown;
  onClose: () => void;
  onDecide: (comment: string) => void;
}

/** Asks for the comment. To decline, one is required: the sender reads why. */
export function DecideDialog(props: DecideDialogProps) {
  const { decision, what, sender, isLast, isSaving, fault, onClose, onDecide } = props;
  const { approvals: words } = useWords();
  const [comment, setComment] = useState('');
  const [isMissing, setMissing] = useState(false);
  const isDecline = decision === 'DECLINED';
  const save = () => {
    if (isDecline && comment.trim() === '') setMissing(true);
    else onDecide(comment.trim());
  };
  const approveText = isLast ? words.approveText : words.approveOnText;
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={isDecline ? words.declineTitle(what) : words.approveTitle(what)}
      cancel={words.cancel}
      save={isDecline ? words.decline : words.approve}
      isDangerous={isDecline}
      onSave={save}
      isSaving={isSaving}
      fault={fault}
    >
      <p>{isDecline ? words.declineText : approveText}</p>
      <Textarea
        data-autofocus
        label={words.comment(sender)}
        description={isDecline ? words.commentRequired : words.commentOptional}
        error={isMissing && comment.trim() === '' && words.missingComment}
        maxLength={1_000}
        autosize
        minRows={3}
        value={comment}
        onChange={({ target }) => setComment(target.value)}
      />
    </FormDialog>
  );
}
