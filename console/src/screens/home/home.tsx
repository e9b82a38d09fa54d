import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useHere, useToday } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { mineQuery } from '../approvals/pending.ts';
import { toConfirmQuery } from '../erasure/to-confirm.ts';
import { Attention, attentionRows } from './attention.tsx';
import { Covered, coveredQuery } from './covered.tsx';
import { FirstSteps, stepsFor } from './first-steps.tsx';
import styles from './home.module.css';
import { Latest, latestQuery } from './latest.tsx';
import { Month } from './month.tsx';
import { OwnBudget } from './own-budget.tsx';
import { Weeks, weeksQuery } from './weeks.tsx';

/** What needs attention, this month beside last, recognition over time, who was covered, and the latest words. */
export default function Home() {
  const words = useWords();
  const { weekday } = useFormats();
  const { me, workspace } = useHere();
  // What is below is asked for at once, not when the overview is there.
  usePrefetchQuery(weeksQuery(useToday()));
  usePrefetchQuery(coveredQuery);
  usePrefetchQuery(latestQuery);
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', 'overview'],
    queryFn: ({ signal }) => giftwire.reports.overview({}, { signal }),
    // No event tells that a step is done: the list is read again when the user comes back.
    refetchOnMount: ({ state }) => (state.data?.firstSteps ? 'always' : true),
  });
  const name = me.user?.name ?? me.token?.name ?? workspace.name;
  const firstName = isAddress(name) ? '' : (name.split(' ')[0] ?? '');
  const { data: approvals } = useQuery({ ...mineQuery, enabled: workspace.scopes.includes('approvals:decide') });
  const areWaiting = (approvals?.totalElements ?? 0) > 0;
  const { data: toConfirm } = useQuery({ ...toConfirmQuery, enabled: workspace.scopes.includes('people:erase') });
  const attention = data && { ...data.attention, erasuresToConfirm: toConfirm?.totalElements ?? 0 };
  const count = attention ? attentionRows(attention, workspace.scopes).length + Number(areWaiting) : 0;
  const [isHidden, hide] = useHidden(workspace.id);
  const steps = (!isHidden && stepsFor(workspace.scopes).length > 0 && data?.firstSteps) || null;
  const isFirst = data && data.current.gifts + data.current.shoutouts + data.before.gifts + data.before.shoutouts === 0;
  const isEmpty = isFirst && data.firstSteps !== null;
  const toDo = data && (count > 0 ? words.home.things(count) : steps ? words.home.stepsText : words.home.nothingToDo);
  return (
    <Page title={greet(words.home, firstName)} text={`${words.home.today(weekday(new Date()))} ${toDo ?? ''}`}>
      {me.user && isAddress(name) && <NoName address={name} />}
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={8} />}
      {data && attention && (
        <>
          <OwnBudget />
          <Attention attention={attention} approvals={approvals} />
          {steps && <FirstSteps done={steps} onHide={hide} />}
          {!isEmpty && (
            <>
              <Month current={data.current} before={data.before} />
              <div className="two" style={{ marginTop: 40 }}>
                <div>
                  <Weeks />
                </div>
                <div>
                  <Covered />
                </div>
              </div>
            </>
          )}
          {!(isEmpty && steps) && <Latest isFirst={isFirst === true} />}
        </>
      )}
    </Page>
  );
}

/** Whether the user has put the first steps away, in this browser. */
function useHidden(workspaceId: number): [boolean, () => void] {
  const key = `giftwire.first-steps.${workspaceId}`;
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) === 'hidden');
  const hide = () => {
    localStorage.setItem(key, 'hidden');
    setHidden(true);
  };
  return [isHidden, hide];
}

/** A user who was added by email address has no other name yet. Gifts would show the address as the sender. */
function NoName({ address }: { address: string }) {
  const { home } = useWords();
  return (
    <p className={`box ${styles.noName}`}>
      {home.noName(address)} <Go to="/account">{home.chooseName}</Go>
    </p>
  );
}

const isAddress = (name: string) => name.includes('@');

function greet({ morning, afternoon, evening }: Words['home'], name: string): string {
  const hour = new Date().getHours();
  if (hour >= 4 && hour < 12) return morning(name);
  return hour >= 12 && hour < 18 ? afternoon(name) : evening(name);
}
