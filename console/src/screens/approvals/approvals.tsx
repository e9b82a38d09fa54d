import { SegmentedControl, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFilters } from '../../data/filters.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Icon } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { ApprovalList } from './approval-list.tsx';
import styles from './approvals.module.css';
import { OvertakenNotice } from './overtaken.tsx';
import { mineQuery } from './pending.ts';
import type { Overtaken } from './use-decision.ts';

const outcomes = ['APPROVED', 'DECLINED', 'EXPIRED'] as const;
const ofSent = ['WAITING', ...outcomes] as const;

/** Gifts and shoutouts in one list: what waits for the user, all that waits, what was decided, and what became of the gifts that the user has sent. */
export default function Approvals() {
  const { screens, approvals: words } = useWords();
  const { number } = useFormats();
  const { workspace } = useHere();
  const can = useCan();
  const [filters, change] = useFilters();
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const decides = can('approvals:decide');
  const seesAll = can('orders:read') && !workspace.seesReportsOnly;
  const { data: mine } = useQuery({ ...mineQuery, enabled: decides });
  const count = mine?.totalElements ?? 0;
  const sends = can('orders:write');
  const views = [
    ...(decides ? ['mine'] : []),
    ...(seesAll || !decides ? ['all'] : []),
    'decided',
    ...(sends ? ['sent'] : []),
  ];
  const view = views.find((one) => one === filters.view) ?? views[0] ?? 'decided';
  const choices = view === 'sent' ? ofSent : outcomes;
  const outcome = choices.find((one) => one === filters.outcome) ?? choices[0];
  const show = (chosen: string | null) => change({ view: chosen === views[0] ? null : chosen, outcome: null });
  return (
    <Page
      title={view === 'mine' && count > 0 ? words.pending(count) : screens.approvals}
      text={words.text}
      actions={
        decides && (
          <GoButton to="/account" hash="deputy" leftSection={<Icon name="person" />}>
            {words.deputy}
          </GoButton>
        )
      }
    >
      {overtaken && <OvertakenNotice found={overtaken} onClose={() => setOvertaken(null)} />}
      <Tabs value={view} onChange={show} keepMounted={false}>
        <Tabs.List aria-label={words.views} mb={8}>
          {decides && <Tabs.Tab value="mine">{count > 0 ? words.mineCount(number(count)) : words.mine}</Tabs.Tab>}
          {views.includes('all') && <Tabs.Tab value="all">{words.all}</Tabs.Tab>}
          <Tabs.Tab value="decided">{words.decided}</Tabs.Tab>
          {sends && <Tabs.Tab value="sent">{words.sent}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="mine">
          <ApprovalList
            query={{ state: 'WAITING' }}
            isOpen
            onOvertaken={setOvertaken}
            onAll={seesAll ? () => show('all') : null}
          />
        </Tabs.Panel>
        <Tabs.Panel value="all">
          <ApprovalList query={{ state: 'WAITING', mine: false }} onOvertaken={setOvertaken} />
        </Tabs.Panel>
        {(['decided', 'sent'] as const).map((one) => (
          <Tabs.Panel key={one} value={one}>
            <SegmentedControl
              mt={8}
              mb={8}
              className={styles.choice}
              aria-label={words.outcome}
              value={outcome}
              data={choices.map((value) => ({ value, label: words.states[value] }))}
              onChange={(chosen) => change({ outcome: chosen === choices[0] ? null : chosen })}
            />
            <ApprovalList
              key={outcome}
              query={{ state: outcome, ...(one === 'sent' ? { sent: true } : { mine: !seesAll }) }}
              onOvertaken={setOvertaken}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
