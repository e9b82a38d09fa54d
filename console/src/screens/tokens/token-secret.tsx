import { OnceDialog } from '../../parts/once-dialog.tsx';
import { useWords } from '../../words/words.tsx';

export function TokenSecret({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { tokens: words } = useWords();
  return (
    <OnceDialog
      value={secret}
      title={words.secretTitle}
      text={words.secretText}
      label={words.secretLabel}
      done={words.done}
      onClose={onClose}
    />
  );
}
