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
import { useTurning } from '../../parts/pages.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Spark } from '../../parts/ticks.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { TokenActions } from './token-actions.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenSecret } from './token-secret.tsx';

const size = 25;
const dayMs = 86_400_000;
/** A token that expires within this many days says so, and one that is unused for as long. */
const soonDays = 14;
const unusedDays = 60;

/** The tokens with which programs use the workspace. */
export default function Tokens() {
  const { screens, tokens: words } = useWords();
  const canManage = useCan()('tokens:manage');
  const [filters, change] = useFilters();
  const isForDirectory = filters.for === 'directory';
  const [isAdding, setAdding] = useState(isForDirectory);
  const [secret, setSecret] = useState<string | null>(null);
  const list = useInfiniteQuery({
    queryKey: ['tokens'],
    queryFn: ({ pageParam, signal }) =>
      giftwire.tokens.list({ size, ...(pageParam !== null && { after: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, refetch } = list;
  const { rows, isEmpty, foot } = useTurning(list, ({ tokens }) => tokens, { size });
  const add = canManage && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={screens.tokens} text={words.text} actions={data && !isEmpty && add}>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data && isEmpty && (
        <Empty title={words.none} action={add}>
          {words.noneText}
        </Empty>
      )}
      {data && !isEmpty && <TokenTable tokens={rows} foot={foot} onSecret={setSecret} />}
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
    {
      key: 'used',
      head: words.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <When time={lastUsedAt} as="ago" /> : words.notUsed),
    },
    { key: 'past', head: words.past, isOptional: true, cell: (token) => <Requests token={token} /> },
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

/** How much a token is used. */
function Requests({ token: { requestsByDay } }: { token: Token }) {
  const { tokens: words } = useWords();
  const { number } = useFormats();
  const total = requestsByDay.reduce((sum, count) => sum + count, 0);
  return (
    <>
      {total > 0 && <Spark values={requestsByDay} />}
      <span className="quiet small">{words.requests(total, number(total))}</span>
    </>
  );
}

/** Two scopes by their names, and how many more; all of them show when one points at it. */
function useScopesText() {
  const { tokens: words } = useWords();
  const { list } = useFormats();
  const own = useHere().workspace.scopes;
  return ({ scopes }: Token) => {
    const names = scopes.map((scope) => words.scopes[scope] ?? scope);
    const isAll = own.every((scope) => scopes.includes(scope) || /^(tokens:|users:|orders:delegate)/.test(scope));
    const text = isAll
      ? words.everything
      : names.length <= 2
        ? list(names)
        : words.andMore(names.slice(0, 2).join(', '), names.length - 2);
    return <span title={names.join('\n')}>{text}</span>;
  };
}

function hasEnded({ revokedAt, expiresAt }: Token): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
}

function TokenState({ token }: { token: Token }) {
  const { tokens: words } = useWords();
  const left =
    token.expiresAt === null ? Number.POSITIVE_INFINITY : daysBetween(Date.now(), Date.parse(token.expiresAt));
  const unused = daysBetween(Date.parse(token.lastUsedAt ?? token.createdAt), Date.now());
  if (!hasEnded(token)) {
    if (left <= soonDays)
      return (
        <Pill tone="amber" icon="clock">
          {words.endsIn(Math.max(1, left))}
        </Pill>
      );
    return unused >= unusedDays ? (
      <Pill tone="amber" icon="bell">
        {words.unusedFor(unused)}
      </Pill>
    ) : (
      <Pill tone="green" icon="ok">
        {words.active}
      </Pill>
    );
  }
  return (
    <Pill tone="neutral" icon="no">
      {token.revokedAt === null ? words.expired : words.revoked}
    </Pill>
  );
}

function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / dayMs);
}
