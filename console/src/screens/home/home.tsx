import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useHere, useToday } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { Attention, attentionRows } from './attention.tsx';
import { Covered, coveredQuery } from './covered.tsx';
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
  });
  const name = me.user?.name ?? me.token?.name ?? workspace.name;
  const firstName = isAddress(name) ? '' : (name.split(' ')[0] ?? '');
  const count = data ? attentionRows(data.attention, workspace.scopes).length : 0;
  const toDo = data && (count === 0 ? words.home.nothingToDo : words.home.things(count));
  return (
    <Page title={greet(words.home, firstName)} text={`${words.home.today(weekday(new Date()))} ${toDo ?? ''}`}>
      {me.user && isAddress(name) && <NoName address={name} />}
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={8} />}
      {data && (
        <>
          <OwnBudget />
          <Attention attention={data.attention} />
          <Month current={data.current} before={data.before} />
          <div className="two" style={{ marginTop: 40 }}>
            <div>
              <Weeks />
            </div>
            <div>
              <Covered />
            </div>
          </div>
          <Latest
            isFirst={data.current.gifts + data.current.shoutouts + data.before.gifts + data.before.shoutouts === 0}
          />
        </>
      )}
    </Page>
  );
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
