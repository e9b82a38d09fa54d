import type { Member } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { customText } from '../../../../src/ground/values/custom-field.ts';
import { giftwire } from '../../data/client.ts';
import { useCustomFields } from '../../data/custom-fields.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { Who } from '../gifts/who.tsx';
import { Decisions } from './decisions.tsx';
import { EditPerson } from './edit.tsx';
import { History } from './history.tsx';
import styles from './people.module.css';
import { PersonMenu } from './person-menu.tsx';

/** One person: what they received and gave, where they belong, and what can be changed. */
export default function PersonScreen() {
  const { id = '' } = useParams({ strict: false });
  const { screens, people: words } = useWords();
  const member = useQuery({
    queryKey: ['people', 'one', id],
    queryFn: ({ signal }) => giftwire.members.retrieve(Number(id), { signal }),
    structuralSharing: false,
  });
  if (member.data) return <Shown member={member.data} />;
  return (
    <Page title={screens.person} above={<Go to="/people">{words.title}</Go>}>
      {member.error ? <Fault error={member.error} retry={() => void member.refetch()} /> : <Waiting lines={8} />}
    </Page>
  );
}

function Shown({ member }: { member: Member }) {
  const { people: words, erasure } = useWords();
  const formats = useFormats();
  const can = useCan();
  const place = [member.department, member.team.name, member.location].filter(Boolean).join(' · ');
  return (
    <Page
      title={nameOf(member, member.active ? undefined : erasure.titleErased)}
      beside={
        !member.active ? (
          <Pill tone="neutral" icon="out">
            {member.leftOn ? words.leftOn(formats.day(member.leftOn)) : words.left}
          </Pill>
        ) : (
          member.leavesOn && (
            <Pill tone="neutral" icon="out">
              {words.leavesAfter(formats.day(member.leavesOn))}
            </Pill>
          )
        )
      }
      text={place}
      above={<Go to="/people">{words.title}</Go>}
      actions={
        <>
          {can('directory:write') && <Changes member={member} />}
          {can('orders:write') && member.active && (
            <GoButton to="/send" search={{ to: String(member.id) } as never}>
              {words.sendGift}
            </GoButton>
          )}
        </>
      }
    >
      <div className="two">
        <div>{can('recognition:read') && <History key={member.id} member={member} />}</div>
        <div>
          <PersonFacts member={member} />
          <Decisions id={member.id} name={nameOf(member)} />
          {member.provisioned && can('directory:write') && <p className={styles.hint}>{words.managed}</p>}
          <Reports member={member} />
        </div>
      </div>
    </Page>
  );
}

function Changes({ member }: { member: Member }) {
  const { people: words } = useWords();
  const queries = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const keep = (saved: Member) => {
    queries.setQueryData(['people', 'one', String(saved.id)], saved);
    void queries.invalidateQueries({ queryKey: ['people'] });
  };
  return (
    <>
      <Button onClick={() => setEditing(true)}>{words.edit}</Button>
      <PersonMenu member={member} onSaved={keep} />
      <EditPerson
        member={member}
        isOpen={isEditing}
        onClose={() => setEditing(false)}
        onSaved={(saved) => {
          keep(saved);
          tell(words.saved(nameOf(saved)));
        }}
      />
    </>
  );
}

function PersonFacts({ member }: { member: Member }) {
  const { people: words } = useWords();
  const formats = useFormats();
  const can = useCan();
  const { facts } = words;
  const { data: customFields = [] } = useCustomFields();
  const countryName = (code: string) => new Intl.DisplayNames(formats.locale, { type: 'region' }).of(code) ?? code;
  const languageName = (code: string) =>
    new Intl.DisplayNames(formats.locale, { type: 'language', languageDisplay: 'standard' }).of(
      code.replace('_', '-'),
    ) ?? code;
  const { manager, lastRecognizedBy, lastRecognizedOn } = member;
  const last =
    lastRecognizedBy && lastRecognizedOn
      ? `${words.kinds[lastRecognizedBy]}, ${formats.day(lastRecognizedOn)}`
      : words.never;
  const rows = [
    [facts.recognized, words.times(member.recognitions)],
    [facts.last, last],
    [
      facts.legalName,
      can('directory:write') && member.preferredName && `${member.firstName} ${member.lastName}`.trim(),
    ],
    [facts.email, member.email],
    [facts.phone, member.phone],
    [facts.employeeNumber, member.employeeNumber],
    [
      facts.manager,
      manager && (
        <Go key="manager" to={`/people/${manager.id}`}>
          {nameOf({ ...manager, employeeNumber: null })}
        </Go>
      ),
    ],
    [facts.team, member.team.name],
    [facts.department, member.department],
    [facts.location, member.location],
    [facts.country, member.country && countryName(member.country)],
    [facts.costCentre, member.costCentre],
    [facts.currency, member.currency],
    [facts.hireDate, member.hireDate && formats.day(member.hireDate)],
    [facts.birthday, member.birthday && formats.monthDay(member.birthday)],
    [facts.leaveStartsOn, member.leaveStartsOn && formats.day(member.leaveStartsOn)],
    [facts.leaveEndsOn, member.leaveEndsOn && formats.day(member.leaveEndsOn)],
    [facts.hiddenDays, member.hiddenDays && words.hiddenDaysAre[member.hiddenDays as keyof typeof words.hiddenDaysAre]],
    [facts.language, member.language && languageName(member.language)],
    [facts.timeZone, member.timeZone],
    ...customFields.map(
      ({ key, label }) => [label, customText(customFields, member.custom ?? {}, key, formats.locale)] as const,
    ),
    [facts.source, member.provisioned && words.provisioned],
  ] as const;
  return (
    <Facts
      facts={rows.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')}
    />
  );
}

const shownReports = 5;

/** The direct reports of a person. Shows nothing without any. */
function Reports({ member }: { member: Member }) {
  const { people: words } = useWords();
  const reports = useQuery({
    queryKey: ['people', 'reports', member.id],
    queryFn: ({ signal }) => giftwire.members.list({ manager: `id:${member.id}`, size: shownReports }, { signal }),
  });
  const { members = [], totalElements = 0 } = reports.data ?? {};
  if (members.length === 0) return null;
  return (
    <Section
      title={words.reports}
      beside={
        totalElements > shownReports && (
          <Go to="/people" search={{ manager: `id:${member.id}` } as never}>
            {words.allReports(totalElements)}
          </Go>
        )
      }
    >
      <ul className={styles.reports}>
        {members.map((one) => (
          <li key={one.id}>
            <Who name={nameOf(one)} to={`/people/${one.id}`} line={one.department} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
