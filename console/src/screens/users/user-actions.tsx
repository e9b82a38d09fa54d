import type { User } from '@giftwire/sdk';
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { OnceDialog } from '../../parts/once-dialog.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';
import { RoleChoice } from './role-choice.tsx';

/** The actions of an owner on a user. */
export function UserActions({ user }: { user: User }) {
  const { users: words } = useWords();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'role' | 'link' | 'signOut' | 'remove' | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const { id, name } = user;
  const close = () => setDialog(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ['users'] });
  return (
    <>
      <RowMenu
        label={words.actionsFor(name)}
        actions={[
          { label: words.change, run: () => setDialog('role') },
          { label: words.makeLink, run: () => setDialog('link') },
          { label: words.signOut, run: () => setDialog('signOut') },
          { label: words.remove, run: () => setDialog('remove'), isDangerous: true },
        ]}
      />
      <RoleDialog user={user} isOpen={dialog === 'role'} onClose={close} />
      <Confirm
        onClose={close}
        isOpen={dialog === 'link'}
        title={words.makeLink}
        act={words.makeLink}
        isDangerous={false}
        onAct={async () => setLink((await giftwire.users.createLink(id)).link)}
      >
        {words.linkText(name)}
      </Confirm>
      <Confirm
        onClose={close}
        isOpen={dialog === 'signOut'}
        title={words.signOutTitle(name)}
        act={words.signOut}
        onAct={async () => {
          await giftwire.users.endSessions(id);
          await refresh();
          tell(words.signedOut(name));
        }}
      >
        {words.signOutText}
      </Confirm>
      <Confirm
        onClose={close}
        isOpen={dialog === 'remove'}
        title={words.removeTitle(name)}
        act={words.remove}
        onAct={async () => {
          await giftwire.users.delete(id);
          await refresh();
          tell(words.removed(name));
        }}
      >
        {words.removeText}
      </Confirm>
      <OnceDialog
        value={link}
        title={words.linkTitle}
        text={words.linkText(name)}
        label={words.linkLabel}
        done={words.done}
        onClose={() => setLink(null)}
      />
    </>
  );
}

function RoleDialog({ user, isOpen, onClose }: { user: User; isOpen: boolean; onClose: () => void }) {
  const { users: words } = useWords();
  const queries = useQueryClient();
  const [role, setRole] = useState(user.role);
  const [member, setMember] = useState('');
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => giftwire.users.update(user.id, { role, ...(member !== '' && { member }) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['users'] });
      setMember('');
      onClose();
    },
  });
  const close = () => {
    reset();
    setRole(user.role);
    setMember('');
    onClose();
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={words.changeTitle(user.name)}
      onSave={mutate}
      isSaving={isPending}
      fault={error}
    >
      <RoleChoice value={role} onChange={setRole} />
      <TextInput
        label={words.member}
        description={words.memberChangeHint}
        value={member}
        onChange={({ target }) => setMember(target.value)}
      />
    </FormDialog>
  );
}
