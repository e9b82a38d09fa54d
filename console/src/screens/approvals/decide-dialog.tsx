import { FormDialog } from '../../parts/form-dialog.tsx';
import { useWords } from '../../words/words.tsx';
import { useComment } from './use-comment.tsx';
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

/** Asks for the comment. */
export function DecideDialog(props: DecideDialogProps) {
  const { decision, what, sender, isLast, isSaving, fault, onClose, onDecide } = props;
  const { approvals: words } = useWords();
  const isDecline = decision === 'DECLINED';
  const { field, check } = useComment(sender, isDecline ? words.commentRequired : words.commentOptional);
  const approveText = isLast ? words.approveText : words.approveOnText;
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={isDecline ? words.declineTitle(what) : words.approveTitle(what)}
      save={isDecline ? words.decline : words.approve}
      isDangerous={isDecline}
      onSave={() => check(decision, onDecide)}
      isSaving={isSaving}
      fault={fault}
    >
      <p>{isDecline ? words.declineText : approveText}</p>
      {field}
    </FormDialog>
  );
}
