import { Button, Tabs } from '@mantine/core';
import { useFilters } from '../../data/filters.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';
import { AllRecognition } from './all.tsx';
import { Declined } from './declined.tsx';
import { Give } from './give.tsx';
import { Reported } from './reported.tsx';
import { ScreensForFeed } from './screens-for-feed.tsx';

/** The feed, what was declined, what employees reported, and the form that says thanks. What waits is among the approvals. */
export default function Recognition() {
  const { screens, recognition } = useWords();
  const { workspace } = useHere();
  const can = useCan();
  const [filters, change] = useFilters();
  // Managers read the recognition of their own people, which has no list by status.
  const seesAll = !workspace.seesReportsOnly;
  const views = ['feed', ...(seesAll ? ['declined'] : []), ...(can('feed:moderate') ? ['reported', 'screens'] : [])];
  const view = views.find((one) => one === filters.view) ?? 'feed';
  return (
    <Page
      title={screens.recognition}
      text={recognition.text}
      actions={
        can('recognition:write') && (
          <Button leftSection={<Icon name="heart" />} onClick={() => change({ view: 'give' })}>
            {recognition.give}
          </Button>
        )
      }
    >
      <Give
        isOpen={filters.view === 'give' && can('recognition:write')}
        memberId={filters.to === undefined ? null : Number(filters.to)}
        onClose={() => change({ view: null, to: null })}
      />
      <Tabs value={view} onChange={(chosen) => change({ view: chosen === 'feed' ? null : chosen })} keepMounted={false}>
        {seesAll && (
          <Tabs.List aria-label={recognition.views} mb={8}>
            <Tabs.Tab value="feed">{recognition.feed}</Tabs.Tab>
            <Tabs.Tab value="declined">{recognition.declined}</Tabs.Tab>
            {can('feed:moderate') && <Tabs.Tab value="reported">{recognition.reported}</Tabs.Tab>}
            {can('feed:moderate') && <Tabs.Tab value="screens">{recognition.screens}</Tabs.Tab>}
          </Tabs.List>
        )}
        <Tabs.Panel value="feed">
          <AllRecognition />
        </Tabs.Panel>
        <Tabs.Panel value="declined">
          <Declined />
        </Tabs.Panel>
        <Tabs.Panel value="reported">
          <Reported />
        </Tabs.Panel>
        <Tabs.Panel value="screens">
          <ScreensForFeed />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
