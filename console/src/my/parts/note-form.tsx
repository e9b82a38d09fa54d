import { type FormEvent, useState } from 'react';
import { useKept } from '../data/kept.ts';
import { useWords } from '../words/words.tsx';
import { Action } from './action.tsx';
import { Fault } from './fault.tsx';
import { Field } from './field.tsx';

interface NoteFormProps {
  /** Under which name what is typed is kept, so that it survives a closed window. */
  draft: string;
  label: string;
  hint: string;
  most: number;
  not: string;
  act?: string;
  error: unknown;
  isPending: boolean;
  onSend: (text: string) => void;
}

/** A few words to one person. */
export function NoteForm({ draft, label, hint, most, not, act, error, isPending, onSend }: NoteFormProps) {
  const { gifts: words, parts } = useWords();
  const [text, setText] = useKept(draft, '');
  const [isMissing, setIsMissing] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(text.trim() === '');
    if (text.trim() !== '' && !isPending) onSend(text.trim());
  };
  return (
    <form onSubmit={send} className="note">
      <Field label={label} hint={hint} fault={isMissing ? parts.required : null}>
        {(control) => (
          <textarea
            {...control}
            className="input letter"
            rows={3}
            maxLength={most}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <Fault error={error} not={not} />
      <Action type="submit" look="plain" isPending={isPending}>
        {act ?? words.thank}
      </Action>
    </form>
  );
}
