import type { Role, User } from '@giftwire/sdk';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Face } from '../../parts/face.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';
import { UserActions } from './user-actions.tsx';
import { UserForm } from './user-form.tsx';

/** Who may sign in to the workspace. Those who may not decide about it read the list. */
export default function Users() {
  const { screens, users: words } = useWords();
  const [{ search, role }] = useFilters();
  const can = useCan();
  const [isAdding, setAdding] = useState(false);
  const add = can('users:manage') && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={screens.users} text={words.text} actions={add}>
      <Filters />
      <List key={JSON.stringify([search, role])} search={search} role={role} />
      <UserForm isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}

const size = 25;

function List({ search, role }: { search: string | undefined; role: string | undefined }) {
  const { users: words } = useWords();
  const list = useInfiniteQuery({
    queryKey: ['users', search, role],
    queryFn: ({ pageParam, signal }) =>
      giftwire.users.list(
        {
          size,
          ...(search && { search }),
          ...(role && { role: role as Role }),
          ...(pageParam && { after: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const { rows, isEmpty, foot } = useTurning(list, ({ users }) => users, { size });
  if (list.error) return <Fault error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Waiting />;
  return isEmpty ? <Empty title={words.none}>{words.noneText}</Empty> : <UserTable users={rows} foot={foot} />;
}

function Filters() {
  const { users: words } = useWords();
  const [{ search, role }, change] = useFilters();
  const roles = Object.keys(words.roleTexts).map((value) => ({ value, label: words.roles[value as Role] }));
  return (
    <Group gap={8} mb={16}>
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<Icon name="find" size={16} />}
        value={search ?? ''}
        onChange={({ target }) => change({ search: target.value })}
      />
      <Select
        aria-label={words.role}
        placeholder={words.allRoles}
        clearable
        data={roles}
        value={role ?? null}
        onChange={(value) => change({ role: value })}
      />
    </Group>
  );
}

function UserTable({ users, foot }: { users: readonly User[]; foot: React.ReactNode }) {
  const { screens, users: words } = useWords();
  const { me } = useHere();
  const canManage = useCan()('users:manage');
  const columns: Column<User>[] = [
    {
      key: 'name',
      head: words.name,
      cell: ({ id, name, email, isLinked }) => (
        <Group gap={12} wrap="nowrap">
          <Face name={name} />
          <span>
            <b>{name}</b>
            {id === me.user?.id && <span className="quiet"> ({words.you})</span>}
            <div className="quiet small">{email}</div>
            {!isLinked && <div className="quiet small">{words.notLinked}</div>}
          </span>
        </Group>
      ),
    },
    { key: 'role', head: words.role, cell: ({ role }) => words.roles[role] },
    { key: 'ways', head: words.ways, isOptional: true, cell: (user) => waysOf(user, words) },
    {
      key: 'lastIn',
      head: words.lastIn,
      cell: ({ signedInAt }) =>
        signedInAt ? <When time={signedInAt} as="ago" /> : <span className="quiet">{words.never}</span>,
    },
  ];
  const actions: Column<User> = {
    key: 'actions',
    head: words.actions,
    hidesHead: true,
    isNumber: true,
    cell: (user) => <UserActions user={user} />,
  };
  return (
    <Table
      label={screens.users}
      columns={canManage ? [...columns, actions] : columns}
      rows={users}
      rowKey={({ id }) => id}
      foot={foot}
    />
  );
}

function waysOf({ hasPassword, hasOidc }: User, words: { password: string; oidc: string; link: string }): string {
  const ways = [...(hasPassword ? [words.password] : []), ...(hasOidc ? [words.oidc] : [])];
  return ways.length > 0 ? ways.join(', ') : words.link;
}
