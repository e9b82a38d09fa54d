import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Field } from '../../parts/field.tsx';
import { useWords } from '../../words/words.tsx';

interface EditTextProps {
  title: string;
  text: string;
  save: (text: string) => Promise<unknown>;
  onClose: () => void;
}

/** The text of a shoutout or of a comment, to be changed by the person who wrote it. */
export function EditText({ title, text: before, save, onClose }: EditTextProps) {
  const { feed: words, parts } = useWords();
  const [text, setText] = useState(before);
  const { mutate, isPending, error } = useMutation({ mutationFn: () => save(text.trim()), onSuccess: onClose });
  const isEmpty = text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty && !isPending) mutate();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={words.message} fault={isEmpty ? parts.required : null}>
          {(control) => (
            <textarea
              {...control}
              className="input letter"
              maxLength={1_000}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Fault error={error} not={words.notSaved} />
        <Action type="submit" isPending={isPending}>
          {parts.save}
        </Action>
        <Action look="plain" onClick={onClose}>
          {parts.cancel}
        </Action>
      </form>
    </Dialog>
  );
}
