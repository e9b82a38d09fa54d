import type { Token } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';
import { TokenActions } from './token-actions.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenSecret } from './token-secret.tsx';

/** The tokens with which programs use the workspace. */
export default function Tokens() {
  const { screens, tokens: words } = useWords();
  const canManage = useCan()('tokens:manage');
  const [filters, change] = useFilters();
  const isForDirectory = filters.for === 'directory';
  const [isAdding, setAdding] = useState(isForDirectory);
  const [secret, setSecret] = useState<string | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['tokens'],
    queryFn: ({ pageParam, signal }) =>
      giftwire.tokens.list(pageParam === null ? {} : { after: pageParam }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = data?.pages.flatMap(({ tokens }) => tokens);
  const add = canManage && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  const more = hasNextPage && (
    <Button size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {words.more}
    </Button>
  );
  return (
    <Page title={screens.tokens} text={words.text} actions={rows && rows.length > 0 && add}>
      <Fault error={error} retry={() => void refetch()} />
      {!rows && !error && <Waiting />}
      {rows?.length === 0 && (
        <Empty title={words.none} action={add}>
          {words.noneText}
        </Empty>
      )}
      {rows && rows.length > 0 && <TokenTable tokens={rows} foot={more} onSecret={setSecret} />}
      <TokenForm
        isOpen={isAdding && canManage}
        isForDirectory={isForDirectory}
        onClose={() => {
          setAdding(false);
          if (isForDirectory) change({ for: null });
        }}
        onMade={setSecret}
      />
      <TokenSecret secret={secret} onClose={() => setSecret(null)} />
    </Page>
  );
}

interface TokenTableProps {
  tokens: readonly Token[];
  foot: React.ReactNode;
  onSecret: (secret: string) => void;
}

function TokenTable({ tokens, foot, onSecret }: TokenTableProps) {
  const { screens, tokens: words } = useWords();
  const canManage = useCan()('tokens:manage');
  const may = useScopesText();
  const columns: Column<Token>[] = [
    {
      key: 'name',
      head: words.name,
      cell: ({ name, hint }) => (
        <span>
          <b>{name ?? words.unnamed}</b>
          <div className="quiet small">…{hint}</div>
        </span>
      ),
    },
    { key: 'state', head: words.state, cell: (token) => <TokenState token={token} /> },
    { key: 'may', head: words.may, isOptional: true, cell: may },
    { key: 'made', head: words.made, isOptional: true, cell: ({ createdAt }) => <When time={createdAt} as="date" /> },
    {
      key: 'ends',
      head: words.ends,
      cell: ({ expiresAt }) => (expiresAt ? <When time={expiresAt} as="date" /> : words.never),
    },
  ];
  const actions: Column<Token> = {
    key: 'actions',
    head: words.actions,
    hidesHead: true,
    isNumber: true,
    cell: (token) => (hasEnded(token) ? null : <TokenActions token={token} onSecret={onSecret} />),
  };
  return (
    <Table
      label={screens.tokens}
      columns={canManage ? [...columns, actions] : columns}
      rows={tokens}
      rowKey={({ id }) => id}
      foot={foot}
    />
  );
}

/** One scope by its name, several by their number; all of them show when one points at it. */
function useScopesText() {
  const { tokens: words } = useWords();
  const own = useHere().workspace.scopes;
  return ({ scopes }: Token) => {
    const names = scopes.map((scope) => words.scopes[scope] ?? scope);
    const isAll = own.every((scope) => scopes.includes(scope) || /^(tokens|users):/.test(scope));
    const text = isAll ? words.everything : names.length === 1 ? names[0] : words.some(names.length);
    return <span title={names.join('\n')}>{text}</span>;
  };
}

function hasEnded({ revokedAt, expiresAt }: Token): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
}

function TokenState({ token }: { token: Token }) {
  const { tokens: words } = useWords();
  if (!hasEnded(token))
    return (
      <Pill tone="green" icon="ok">
        {words.active}
      </Pill>
    );
  return (
    <Pill tone="neutral" icon="no">
      {token.revokedAt === null ? words.expired : words.revoked}
    </Pill>
  );
}
