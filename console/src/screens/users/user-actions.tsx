import type { User } from '@giftwire/sdk';
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useOpened, versionOf } from '../../data/version.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { OnceDialog } from '../../parts/once-dialog.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { tell } from '../../parts/tell.tsx';
import { useTellUndoable } from '../../parts/use-tell-undoable.ts';
import { useWords } from '../../words/words.tsx';
import { RoleChoice } from './role-choice.tsx';

/** The actions of an owner on a user. */
export function UserActions({ user }: { user: User }) {
  const { users: words } = useWords();
  const queries = useQueryClient();
  const tellUndoable = useTellUndoable();
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
      {dialog === 'role' && <RoleDialog user={user} onClose={close} />}
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
          await tellUndoable(words.removed(name), 'USER_ROLE', id);
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

interface RoleProps {
  user: User;
  onClose: () => void;
}

/** Begins with the role that the user has when the dialog opens. */
function RoleDialog({ user, onClose }: RoleProps) {
  const { data, error } = useOpened(['users', user.id], (options) => giftwire.users.retrieve(user.id, options));
  return data || error ? <RoleForm user={data ?? user} onClose={onClose} /> : null;
}

function RoleForm({ user, onClose }: RoleProps) {
  const { users: words } = useWords();
  const queries = useQueryClient();
  const tellUndoable = useTellUndoable();
  const [ifMatch] = useState(() => versionOf(user));
  const [role, setRole] = useState(user.role);
  const [member, setMember] = useState('');
  const stale = () => queries.invalidateQueries({ queryKey: ['users'] });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => giftwire.users.update(user.id, { role, ...(member !== '' && { member }) }, { ifMatch }),
    onError: stale,
    onSuccess: async () => {
      await stale();
      await tellUndoable(words.changed(user.name), 'USER_ROLE', user.id);
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
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
