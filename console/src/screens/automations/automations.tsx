import type { Automation, AutomationOutlook } from '@giftwire/sdk';
import { Button, Modal, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { AutomationList } from './automation-list.tsx';
import styles from './automations.module.css';
import { Clock } from './clock.tsx';
import { useOccasion } from './occasion.ts';
import { templateNames, templates } from './templates.ts';
import { cityOf } from './zone.ts';

/** All automations: their state, who is next, what thirty days cost, and what needs care on top. */
export default function Automations() {
  const { screens, automations: words } = useWords();
  const canManage = useCan()('automations:manage');
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'new' | 'pause' | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['automations', 'list'],
    queryFn: ({ signal }) => giftwire.automations.list({ signal }),
  });
  const outlooks = useQuery({
    queryKey: ['automations', 'outlook'],
    queryFn: ({ signal }) => giftwire.automations.outlook({ signal }),
    enabled: (data?.automations.length ?? 0) > 0,
  });
  const byId = new Map(outlooks.data?.map((one) => [one.automationId, one]));
  const summary = useSummary()(data?.automations ?? [], [...byId.values()]);
  const stale = () => queries.invalidateQueries({ queryKey: ['automations'] });
  const resume = async () => {
    await giftwire.automations.resume();
    await stale();
    tell(words.allResumed);
  };
  const isEmpty = data?.automations.length === 0;
  const add = canManage && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setDialog('new')}>
      {words.add}
    </Button>
  );
  return (
    <Page
      title={screens.automations}
      text={data && !isEmpty ? summary : undefined}
      actions={
        data &&
        !isEmpty && (
          <>
            <GoButton to="/automations/happened" variant="subtle" color="gray">
              {words.happened}
            </GoButton>
            {canManage && !data.isPaused && (
              <Button leftSection={<Icon name="pause" />} onClick={() => setDialog('pause')}>
                {words.pauseAll}
              </Button>
            )}
            {add}
          </>
        )
      }
    >
      <Fault error={error ?? outlooks.error} retry={() => void refetch()} />
      {!data && !error && <Waiting lines={6} />}
      {isEmpty && (
        <>
          <Empty title={words.emptyTitle}>{words.emptyText}</Empty>
          {canManage && <TemplateList />}
        </>
      )}
      {data?.isPaused && (
        <div role="status" className={styles.note}>
          <Icon name="pause" />
          <b>{words.allPaused}</b>
          {canManage && (
            <Button size="compact-md" onClick={() => void resume()}>
              {words.resumeAll}
            </Button>
          )}
        </div>
      )}
      {data && !isEmpty && (
        <AutomationList automations={byState(data.automations)} outlooks={byId} canManage={canManage} />
      )}
      <Clock />
      <Modal
        opened={dialog === 'new'}
        onClose={() => setDialog(null)}
        title={<b>{words.chooseTitle}</b>}
        size="lg"
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <p className={`quiet ${styles.chooseText}`}>{words.chooseText}</p>
        <TemplateList />
      </Modal>
      <Confirm
        isOpen={dialog === 'pause'}
        onClose={() => setDialog(null)}
        title={words.pauseAllTitle}
        keep={words.cancel}
        act={words.pauseAll}
        isDangerous={false}
        onAct={async () => {
          await giftwire.automations.pause();
          await stale();
        }}
      >
        {words.pauseAllText}
      </Confirm>
    </Page>
  );
}

const order = ['ON', 'PAUSED', 'DRAFT'] as const;

/** Those that do something first. */
function byState(automations: readonly Automation[]): Automation[] {
  return automations.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/** How many are on, and what comes next. */
function useSummary() {
  const { automations: words } = useWords();
  const { momentIn } = useFormats();
  const occasionOf = useOccasion();
  return (automations: readonly Automation[], outlooks: readonly AutomationOutlook[]) => {
    const on = automations.filter(({ state }) => state === 'ON').length;
    const [next] = outlooks
      .flatMap(({ automationId, next: one }) => (one ? [{ automationId, one }] : []))
      .sort((a, b) => a.one.dueAt.localeCompare(b.one.dueAt));
    const automation = automations.find(({ id }) => id === next?.automationId);
    if (!next || !automation) return words.on(on);
    const { firstName, lastName, dueAt, timeZone } = next.one;
    const when = `${momentIn(dueAt, timeZone)}, ${cityOf(timeZone)}`;
    return `${words.on(on)} ${words.next(`${firstName} ${lastName}`.trim(), occasionOf(automation, next.one), when)}`;
  };
}

/** What an automation can be for. Each opens with sensible terms and a message in each language. */
function TemplateList() {
  const { automations: words } = useWords();
  const navigate = useNavigate();
  return (
    <ul className={styles.templates}>
      {templateNames.map((name) => (
        <li key={name}>
          <UnstyledButton
            onClick={() => void navigate({ to: '/automations/new', search: { template: name } as never })}
          >
            <span className={styles.dot} data-tinted>
              <Icon name={templates[name].icon} />
            </span>
            <span>
              <b>{words.templates[name].name}</b>
              <span className="quiet small">{words.templates[name].text}</span>
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
