import type { CustomField } from '@giftwire/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Fault } from '../../parts/fault.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { FieldForm } from './field-form.tsx';

/** Rename a field, change its choices, or remove it with all its values. */
export function FieldActions({ field }: { field: CustomField }) {
  const { customFields: words } = useWords();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const remove = async () => {
    await giftwire.customFields.delete(field.key);
    tell(words.removed(field.label));
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['customFields'] }),
      queries.invalidateQueries({ queryKey: ['people'] }),
    ]);
  };
  return (
    <>
      <RowMenu
        label={words.actionsFor(field.label)}
        actions={[
          { label: words.edit, run: () => setOpen('edit') },
          { label: words.remove, run: () => setOpen('remove'), isDangerous: true },
        ]}
      />
      <FieldForm field={field} isOpen={open === 'edit'} onClose={close} />
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={words.removeTitle(field.label)}
        act={words.remove}
        onAct={remove}
      >
        {open === 'remove' && <PeopleWithValue field={field} />}
      </Confirm>
    </>
  );
}

function PeopleWithValue({ field: { key } }: { field: CustomField }) {
  const { customFields: words } = useWords();
  const { data, error } = useQuery({
    queryKey: ['customFields', 'people', key],
    queryFn: ({ signal }) => giftwire.customFields.retrieve(key, { signal }),
    staleTime: 0,
  });
  if (error) return <Fault error={error} />;
  return data ? words.removeText(data.people) : <Waiting lines={1} />;
}
