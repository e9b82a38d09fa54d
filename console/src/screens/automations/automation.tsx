import type { Automation } from '@giftwire/sdk';
import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { usualCurrency } from '../../gift/terms.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { PauseDialog, RenameDialog, RunDialog, useSwitch } from './dialogs.tsx';
import { Editor } from './editor.tsx';
import { AutomationPill } from './states.tsx';
import { isTemplate, termsOf } from './templates.ts';
import type { AutomationTerms } from './terms.ts';
import { useDraft } from './use-draft.ts';

/** One automation, or a new one from a template: its sentences, its message and its twelve months. */
export default function OneAutomation() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const [{ template }] = useFilters();
  const { automations: words } = useWords();
  const { workspace } = useHere();
  const isNew = id === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: ['automations', 'one', id],
    queryFn: ({ signal }) => giftwire.automations.retrieve(Number(id), { signal }),
    enabled: !isNew,
    structuralSharing: false,
  });
  if (isNew) {
    const from = isTemplate(template) ? template : 'BIRTHDAY';
    const currency = usualCurrency(workspace.id, workspace.language);
    return <One key={from} stored={null} first={termsOf(from, words.templates[from].name, currency)} />;
  }
  if (data) return <One key={id} stored={data} first={null} />;
  return error ? <Fault error={error} retry={() => void refetch()} /> : <Waiting lines={8} />;
}

interface OneProps {
  stored: Automation | null;
  /** Of a new one: what its template says. */
  first: AutomationTerms | null;
}

function One({ stored, first }: OneProps) {
  const { screens, automations: words } = useWords();
  const { date } = useFormats();
  const canManage = useCan()('automations:manage');
  const draft = useDraft(stored, first);
  const [dialog, setDialog] = useState<'rename' | 'pause' | 'run' | null>(null);
  const { resume, isResuming, error } = useSwitch();
  const { terms, isDirty } = draft;
  const close = () => setDialog(null);
  const about =
    stored === null
      ? words.newText
      : stored.state === 'ON' && stored.onSince
        ? words.stateText.ON(date(stored.onSince))
        : stored.state === 'PAUSED'
          ? [words.stateText.PAUSED, words.pausedBy(stored.pausedBy, stored.pauseNote)].join(' ')
          : words.stateText.DRAFT;
  return (
    <Page
      title={terms.name}
      above={
        <>
          <Go to="/automations">{screens.automations}</Go> / {terms.name}
        </>
      }
      beside={
        <>
          <AutomationPill state={stored?.state ?? 'DRAFT'} />
          {canManage && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={words.rename}
              onClick={() => setDialog('rename')}
            >
              <Icon name="pen" />
            </ActionIcon>
          )}
        </>
      }
      text={[about, ...(stored && isDirty ? [words.unsaved] : [])].join(' ')}
      actions={
        stored && (
          <>
            <GoButton
              to="/automations/happened"
              search={{ automation: String(stored.id) } as never}
              variant="subtle"
              color="gray"
            >
              {words.happened}
            </GoButton>
            {canManage && stored.state === 'ON' && (
              <Button variant="subtle" color="gray" onClick={() => setDialog('run')}>
                {words.runOne}
              </Button>
            )}
            {canManage && stored.state === 'ON' && (
              <Button leftSection={<Icon name="pause" />} onClick={() => setDialog('pause')}>
                {words.pause}
              </Button>
            )}
            {canManage && stored.state === 'PAUSED' && (
              <Button variant="filled" loading={isResuming} onClick={() => resume(stored)}>
                {words.resume}
              </Button>
            )}
          </>
        )
      }
    >
      <Fault error={error} />
      <Editor draft={draft} stored={stored} isFixed={!canManage} />
      <RenameDialog
        isOpen={dialog === 'rename'}
        name={terms.name}
        onClose={close}
        onName={(name) => draft.change({ name })}
      />
      {stored && <PauseDialog isOpen={dialog === 'pause'} automation={stored} onClose={close} />}
      {stored && <RunDialog isOpen={dialog === 'run'} automation={stored} onClose={close} />}
    </Page>
  );
}
