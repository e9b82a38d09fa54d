import { useMutation } from '@tanstack/react-query';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';

interface RemoveProps {
  title: string;
  text: string;
  act: string;
  remove: () => Promise<unknown>;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before something is deleted, and says what is lost. */
export function Remove({ title, text, act, remove, onClose, onRemoved }: RemoveProps) {
  const { feed: words, parts } = useWords();
  const { mutate, isPending, error } = useMutation({ mutationFn: remove, onSuccess: onRemoved });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <form method="dialog">
        <Fault error={error} not={words.notRemoved} />
        <Action look="danger" isPending={isPending} onClick={() => mutate()}>
          {act}
        </Action>
        <Action look="plain" onClick={onClose}>
          {parts.cancel}
        </Action>
      </form>
    </Dialog>
  );
}
