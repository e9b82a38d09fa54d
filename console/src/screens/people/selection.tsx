import type { Member } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../data/me.tsx';
import { GoButton } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Bar } from '../../parts/page.tsx';
import type { Selection } from '../../parts/table.tsx';
import { useWords } from '../../words/words.tsx';

/** The most people with which the send screen can start. For more, use a file. */
const most = 50;

/** People who were picked, also on other pages, and the way to thank all of them. */
export function PeopleSelection({ children }: { children: (table: { selection?: Selection<Member> }) => ReactNode }) {
  const { people: words } = useWords();
  const can = useCan();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  if (!can('orders:write')) return children({});
  const selection: Selection<Member> = {
    has: ({ id }) => picked.has(id),
    set: (rows, isSelected) => {
      const ids = rows.map(({ id }) => id);
      setPicked(new Set(isSelected ? [...picked, ...ids] : [...picked].filter((id) => !ids.includes(id))));
    },
    nameOf,
  };
  const to = [...picked].slice(0, most);
  return (
    <>
      {children({ selection })}
      {picked.size > 0 && (
        <Bar
          label={words.selection}
          actions={
            <GoButton to="/send" search={{ to: to.join(',') } as never} variant="filled">
              {words.sendTo(to.length)}
            </GoButton>
          }
        >
          <b>{words.selected(picked.size)}</b>
          <Button size="compact-sm" variant="subtle" onClick={() => setPicked(new Set())}>
            {words.clear}
          </Button>
          {picked.size > most && <span className="quiet">{words.mostAtOnce(most)}</span>}
        </Bar>
      )}
    </>
  );
}
