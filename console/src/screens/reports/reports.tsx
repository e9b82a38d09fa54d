import { Tabs } from '@mantine/core';
import { useFilters } from '../../data/filters.ts';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';
import { Coverage } from './coverage.tsx';
import { Fairness } from './fairness.tsx';
import { Forgotten } from './forgotten.tsx';
import { OverTime } from './time.tsx';

const views = { forgotten: Forgotten, coverage: Coverage, fairness: Fairness, time: OverTime };
type View = keyof typeof views;

/** Who was forgotten, who was covered, how fair that is, and how it changes. Every view is as of a day, and an address. */
export default function Reports() {
  const { screens, reports } = useWords();
  const [filters, change] = useFilters();
  const view: View = Object.hasOwn(views, filters.view ?? '') ? (filters.view as View) : 'forgotten';
  return (
    <Page title={screens.reports} text={reports.text}>
      <Tabs value={view} onChange={(chosen) => change({ view: chosen, by: null, sort: null })} keepMounted={false}>
        <Tabs.List aria-label={reports.views} mb={20}>
          {(Object.keys(views) as View[]).map((one) => (
            <Tabs.Tab key={one} value={one}>
              {reports[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {(Object.keys(views) as View[]).map((one) => {
          const Shown = views[one];
          return (
            <Tabs.Panel key={one} value={one}>
              <Shown />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}
