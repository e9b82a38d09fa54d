import type { UndoableChange } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { hoursLeft } from '../../parts/use-tell-undoable.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';

/** What the person can still undo, with the time left. */
export default function Undo() {
  const { screens, undo: words } = useWords();
  const { data, error, refetch } = useQuery({
    queryKey: ['undo'],
    queryFn: ({ signal }) => giftwire.undos.list({ signal }),
  });
  return (
    <Page title={screens.undo} text={words.text}>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data?.length === 0 && <Empty title={words.none}>{words.noneText}</Empty>}
      {data && data.length > 0 && <Changes changes={data} />}
    </Page>
  );
}

function Changes({ changes }: { changes: readonly UndoableChange[] }) {
  const { screens, audit, undo: words } = useWords();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<UndoableChange | null>(null);
  const nameOf = ({ kind, subjectName, counts }: UndoableChange) =>
    counts ? words.imported(counts.added, counts.changed) : words.kinds[kind](subjectName ?? '–');
  const columns: Column<UndoableChange>[] = [
    { key: 'change', head: words.change, cell: (one) => <b>{nameOf(one)}</b> },
    { key: 'who', head: audit.who, isOptional: true, cell: ({ by }) => by.name ?? audit.actors[by.is] },
    { key: 'when', head: audit.when, cell: ({ at }) => <When time={at} as="ago" /> },
    { key: 'left', head: words.timeLeft, cell: ({ expiresAt }) => words.left(hoursLeft(expiresAt)) },
    {
      key: 'actions',
      head: words.undo,
      hidesHead: true,
      isNumber: true,
      cell: (one) => (
        <Button size="compact-sm" onClick={() => setAsked(one)} aria-label={words.undoOf(nameOf(one))}>
          {words.undo}
        </Button>
      ),
    },
  ];
  const textOf: Record<UndoableChange['kind'], string> = {
    MEMBER_MERGE: words.mergeText,
    MEMBER_IMPORT: words.importText,
    USER_ROLE: words.wholeText,
    REASON: words.reasonText,
  };
  const undo = async () => {
    if (!asked) return;
    await giftwire.undos.undo(asked.id);
    await queries.invalidateQueries();
    tell(words.undone);
  };
  return (
    <>
      <Table label={screens.undo} columns={columns} rows={changes} rowKey={({ id }) => id} />
      <Confirm
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? words.undoOf(nameOf(asked)) : ''}
        act={words.undo}
        isDangerous={false}
        onAct={undo}
      >
        {asked && textOf[asked.kind]}
      </Confirm>
    </>
  );
}
