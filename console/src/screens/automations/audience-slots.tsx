import type { Audience, AudiencePart, CustomField } from '@giftwire/sdk';
import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GroupField } from '../../parts/group-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PersonField } from '../../parts/person-field.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { useMemberNames, useTeams } from '../rules/names.ts';
import styles from './automation.module.css';
import { useCustomFields } from './custom-fields.ts';
import { Slot } from './slot.tsx';
import type { AutomationTerms, SlotsProps } from './terms.ts';

type Kind = 'department' | 'costCentre' | 'location' | 'country' | 'teamId' | 'memberId';

interface AudienceSlotProps {
  audience: Audience;
  isFixed: boolean;
  side: 'include' | 'exclude';
  onChange: (audience: Audience) => void;
}

/** Whom it is for, or who is left out. */
export function AudienceSlot({ audience, isFixed, side, onChange }: AudienceSlotProps) {
  const { automations: words } = useWords();
  const { list, either } = useFormats();
  const names = usePartNames([...audience.include, ...audience.exclude]);
  const parts = audience[side];
  const set = (next: readonly AudiencePart[]) => onChange({ ...audience, [side]: [...next] });
  const text =
    side === 'include'
      ? parts.length === 0
        ? words.all
        : either(parts.map(names))
      : parts.length === 0
        ? words.noExceptions
        : words.except(list(parts.map(names)));
  return (
    <Slot label={words.fields[side]} text={text} isFixed={isFixed}>
      {() => (
        <>
          <p className="quiet small">{side === 'include' ? words.includeHint : words.excludeHint}</p>
          {parts.length > 0 && (
            <ul className={styles.parts}>
              {parts.map((part, nth) => (
                <li key={JSON.stringify(part)}>
                  <b>{names(part)}</b>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.removePart(names(part))}
                    onClick={() => set(parts.filter((_, at) => at !== nth))}
                  >
                    <Icon name="close" size={16} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          )}
          <AddPart onAdd={(part) => set([...parts, part])} />
        </>
      )}
    </Slot>
  );
}

function AddPart({ onAdd }: { onAdd: (part: AudiencePart) => void }) {
  const { automations: words } = useWords();
  const { locale } = useFormats();
  const [kind, setKind] = useState<Kind | null>('department');
  const [key, setKey] = useState<string | null>(null);
  const fields = useCustomFields();
  const teams = useTeams(kind === 'teamId');
  const custom = fields.find((field) => field.key === key);
  const label = kind === null ? (custom?.label ?? '') : words.audienceKinds[kind];
  const add = (value: string | null) => {
    if (value && kind) onAdd({ [kind]: kind === 'teamId' ? Number(value) : value });
  };
  const inside = { comboboxProps: { withinPortal: false } };
  return (
    <>
      <Select
        {...inside}
        label={words.addPart}
        data={[
          ...Object.entries(words.audienceKinds).map(([value, name]) => ({ value, label: name })),
          ...fields.map((field) => ({ value: `custom.${field.key}`, label: field.label })),
        ]}
        allowDeselect={false}
        value={kind ?? `custom.${key}`}
        onChange={(chosen) => {
          const isCustom = chosen?.startsWith('custom.') ?? false;
          setKind(isCustom ? null : (chosen as Kind));
          setKey(isCustom ? (chosen ?? '').slice('custom.'.length) : null);
        }}
      />
      {(kind === 'department' || kind === 'costCentre' || kind === 'location') && (
        <GroupField key={kind} {...inside} label={label} by={kind} value={undefined} onChange={add} />
      )}
      {kind === 'country' && (
        <Select {...inside} label={label} searchable limit={50} data={countries(locale)} value={null} onChange={add} />
      )}
      {kind === 'teamId' && (
        <Select
          {...inside}
          label={label}
          searchable
          data={[...(teams ?? [])].map(([value, name]) => ({ value, label: name }))}
          value={null}
          onChange={add}
        />
      )}
      {kind === 'memberId' && (
        <PersonField
          {...inside}
          label={label}
          value={null}
          onChange={(person) => person && onAdd({ memberId: person.id })}
        />
      )}
      {custom && (
        <CustomValue key={custom.key} field={custom} onAdd={(value) => onAdd({ custom: { [custom.key]: value } })} />
      )}
    </>
  );
}

/** A value of a custom field: one of its choices, or what is typed. */
function CustomValue({ field, onAdd }: { field: CustomField; onAdd: (value: string) => void }) {
  const { automations: words } = useWords();
  const [typed, setTyped] = useState('');
  if (field.kind === 'CHOICE')
    return (
      <Select
        comboboxProps={{ withinPortal: false }}
        label={field.label}
        data={field.choices}
        value={null}
        onChange={(value) => value && onAdd(value)}
      />
    );
  return (
    <>
      <TextInput label={field.label} maxLength={200} value={typed} onChange={({ target }) => setTyped(target.value)} />
      <Button disabled={typed.trim() === ''} onClick={() => onAdd(typed.trim())}>
        {words.addPart}
      </Button>
    </>
  );
}

/** A part of an audience by its names. */
function usePartNames(parts: readonly AudiencePart[]): (part: AudiencePart) => string {
  const { rules, parts: words } = useWords();
  const { locale } = useFormats();
  const teams = useTeams(parts.some(({ teamId }) => teamId !== undefined));
  const people = useMemberNames(parts.flatMap(({ memberId }) => memberId ?? []));
  const regions = new Intl.DisplayNames(locale, { type: 'region' });
  const labels = new Map(useCustomFields().map(({ key, label }) => [key, label]));
  return ({ department, costCentre, location, country, teamId, memberId, custom }) =>
    [
      department,
      costCentre,
      location,
      country && (regions.of(country) ?? country),
      teamId !== undefined && (teams?.get(String(teamId)) ?? rules.unknownTeam),
      memberId !== undefined && (people.get(memberId) ?? '…'),
      ...Object.entries(custom ?? {}).map(([key, value]) => `${labels.get(key) ?? key}${words.colon}${value}`),
    ]
      .filter(Boolean)
      .join(', ');
}

/** All countries by their names in the reader's language. */
function countries(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
  return letters
    .flatMap((one) => letters.map((two) => one + two))
    .flatMap((value) => {
      const label = noCountries.has(value) ? undefined : names.of(value);
      return label ? [{ value, label }] : [];
    })
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}

/** Whom it skips even if it is for them. */
export function SkipsSlot({ terms: { skipsLeft, skipsOnLeave }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  const text = skipsText({ skipsLeft, skipsOnLeave }, words.skips);
  return (
    <Slot label={words.fields.skips} text={text} isFixed={isFixed}>
      {() => (
        <>
          <Checkbox
            label={words.skipsLeft}
            checked={skipsLeft}
            onChange={({ target }) => change({ skipsLeft: target.checked })}
          />
          <Checkbox
            label={words.skipsOnLeave}
            checked={skipsOnLeave}
            onChange={({ target }) => change({ skipsOnLeave: target.checked })}
          />
        </>
      )}
    </Slot>
  );
}

function skipsText(
  { skipsLeft, skipsOnLeave }: Pick<AutomationTerms, 'skipsLeft' | 'skipsOnLeave'>,
  skips: Record<'both' | 'left' | 'onLeave' | 'neither', string>,
): string {
  if (skipsLeft) return skipsOnLeave ? skips.both : skips.left;
  return skipsOnLeave ? skips.onLeave : skips.neither;
}
