import type { NewUser, UserWithLink } from '@giftwire/sdk';
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { OnceDialog } from '../../parts/once-dialog.tsx';
import { useOpening } from '../../parts/use-opening.ts';
import { useWords } from '../../words/words.tsx';
import { RoleChoice } from './role-choice.tsx';

const blank: Required<NewUser> = { email: '', name: '', role: 'PEOPLE_TEAM', member: '' };

/** Adds a user, and then shows their sign-in link. */
export function UserForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { users: words } = useWords();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(blank);
  const [added, setAdded] = useState<UserWithLink | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => giftwire.users.create(draft),
    onSuccess: async (user) => {
      await queries.invalidateQueries({ queryKey: ['users'] });
      onClose();
      setAdded(user);
    },
  });
  useOpening(isOpen, () => {
    reset();
    setDraft(blank);
  });
  const change = (part: Partial<NewUser>) => setDraft((before) => ({ ...before, ...part }));
  const faults = fieldFaults(error, ['email', 'name', 'member']);
  return (
    <>
      <FormDialog
        isOpen={isOpen}
        onClose={onClose}
        title={words.add}
        save={words.letIn}
        onSave={mutate}
        isSaving={isPending}
        fault={faults.rest}
      >
        <TextInput
          label={words.email}
          description={words.emailHint}
          type="email"
          required
          data-autofocus
          value={draft.email}
          error={faults.of('email')}
          onChange={({ target }) => change({ email: target.value })}
        />
        <TextInput
          label={words.name}
          description={words.nameHint}
          required
          maxLength={100}
          value={draft.name}
          error={faults.of('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <RoleChoice value={draft.role} onChange={(role) => change({ role })} />
        <TextInput
          label={words.member}
          description={words.memberHint}
          value={draft.member}
          error={faults.of('member')}
          onChange={({ target }) => change({ member: target.value })}
        />
      </FormDialog>
      <OnceDialog
        value={added?.link ?? null}
        title={words.linkTitle}
        text={added?.emailed ? words.invited(added.email) : words.linkText(added?.name ?? '')}
        label={words.linkLabel}
        done={words.done}
        onClose={() => setAdded(null)}
      />
    </>
  );
}
