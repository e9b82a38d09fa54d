import type { EmployeeSettings, EmployeeSettingsChange } from '@giftwire/sdk';
import { NumberInput, Radio, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire, workspaceId } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { readWays } from '../../data/session.ts';
import { useBegunVersion } from '../../data/version.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { Warning } from '../../parts/warning.tsx';
import { useWords } from '../../words/words.tsx';
import { AudienceSlot } from '../automations/audience-slots.tsx';
import { SaveBar } from '../settings/save-bar.tsx';
import styles from './employees.module.css';

const accesses = ['OFF', 'ALL', 'AUDIENCE'] as const;

/** Which people of the directory sign in to the employees' app without being users. */
export default function Employees() {
  const { screens, employees: words } = useWords();
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'employees'],
    queryFn: ({ signal }) => giftwire.settings.employees({ signal }),
    structuralSharing: false,
  });
  return (
    <Page title={screens.employees} text={words.text}>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data && <Form stored={data} />}
    </Page>
  );
}

function Form({ stored }: { stored: EmployeeSettings }) {
  const { employees: words } = useWords();
  const queries = useQueryClient();
  const canChange = useCan()('settings:manage');
  const [change, setChange] = useState<EmployeeSettingsChange>({});
  const isDirty = Object.keys(change).length > 0;
  const ifMatch = useBegunVersion(stored, isDirty);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => giftwire.settings.updateEmployees(change, { ifMatch }),
    onError: () => queries.invalidateQueries({ queryKey: ['settings', 'employees'] }),
    onSuccess: (saved) => {
      queries.setQueryData(['settings', 'employees'], saved);
      setChange({});
      tell(words.saved);
    },
  });
  const now = { ...stored, ...change };
  const audience = now.audience ?? { include: [], exclude: [] };
  const set = (next: EmployeeSettingsChange) => setChange({ ...change, ...next });
  return (
    <>
      <fieldset className={styles.fields} disabled={!canChange}>
        <Radio.Group
          label={words.access}
          value={now.access}
          onChange={(access) =>
            set({
              access: access as EmployeeSettings['access'],
              ...(access === 'AUDIENCE' && now.audience === null && { audience }),
            })
          }
        >
          <Stack gap={12} mt={8}>
            {accesses.map((access) => (
              <Radio
                key={access}
                value={access}
                label={words.accesses[access]}
                description={words.accessTexts[access]}
              />
            ))}
          </Stack>
        </Radio.Group>
        {now.access === 'AUDIENCE' && (
          <p className={styles.sentence}>
            {words.who}{' '}
            {(['include', 'exclude'] as const).map((side) => (
              <span key={side}>
                <AudienceSlot
                  audience={audience}
                  isFixed={!canChange}
                  side={side}
                  onChange={(chosen) => set({ audience: chosen })}
                />{' '}
              </span>
            ))}
          </p>
        )}
        {now.access !== 'OFF' && <NoWayWarning />}
        {now.access !== 'OFF' && <CopyField label={words.address} value={`${location.origin}/my/${workspaceId}`} />}
        <NumberInput
          label={words.leaverDays}
          description={words.leaverDaysHint}
          min={1}
          max={3650}
          allowDecimal={false}
          value={now.leaverDays ?? ''}
          onChange={(days) => set({ leaverDays: days === '' ? null : Number(days) })}
        />
        <Switch
          label={words.setNames}
          description={words.setNamesHint}
          checked={now.setNames}
          onChange={({ target }) => set({ setNames: target.checked })}
        />
        <Switch
          label={words.givesGifts}
          description={words.givesGiftsHint}
          checked={now.givesGifts}
          onChange={({ target }) => set({ givesGifts: target.checked })}
        />
        {now.givesGifts && (
          <Switch
            label={words.feedShowsGifts}
            description={words.feedShowsGiftsHint}
            checked={now.feedShowsGifts}
            onChange={({ target }) => set({ feedShowsGifts: target.checked })}
          />
        )}
        <Switch
          label={words.managerDigest}
          description={words.managerDigestHint}
          checked={now.managerDigest}
          onChange={({ target }) => set({ managerDigest: target.checked })}
        />
        <Switch
          label={words.matchesSubject}
          description={words.matchesSubjectHint}
          checked={now.matchesSubject}
          onChange={({ target }) => set({ matchesSubject: target.checked })}
        />
      </fieldset>
      <SaveBar
        form={{
          otherFault: error,
          isDirty,
          isSaving: isPending,
          save: mutate,
          discard: () => {
            setChange({});
            reset();
          },
        }}
      />
    </>
  );
}

/** Says so where employees are let in, but no sign-in link can be emailed and there is no OpenID provider. */
function NoWayWarning() {
  const { noWay } = useWords().employees;
  const { data: ways } = useQuery({ queryKey: ['ways'], queryFn: () => readWays(workspaceId) });
  if (!ways || ways.oidc || ways.email) return null;
  return (
    <Warning title={ways.kiosk ? noWay.kioskOnly : noWay.title}>
      <p>{noWay.why}</p>
      <p>
        {noWay.mailServer} <Go to="/integrations/mail">{noWay.seeMail}</Go>
      </p>
      <p>{noWay.provider}</p>
    </Warning>
  );
}
