import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { countries } from '../../../../src/ground/values/country.ts';
import { useHere } from '../../data/me.tsx';
import { languageChoices } from '../../gift/terms.ts';
import { DateField } from '../../parts/date-field.tsx';
import { MonthDayField } from '../../parts/month-day-field.tsx';
import { type Chosen, PersonField } from '../../parts/person-field.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './people.module.css';

export const personTexts = [
  ...(['firstName', 'lastName', 'preferredName', 'email', 'phone', 'employeeNumber'] as const),
  ...(['department', 'team', 'location', 'costCentre', 'currency'] as const),
  ...(['hireDate', 'birthday', 'country', 'timeZone', 'language'] as const),
  ...(['leaveStartsOn', 'leaveEndsOn', 'hiddenDays'] as const),
] as const;
const hiddenDays = ['BIRTHDAY', 'ANNIVERSARY', 'BOTH'] as const;
export type PersonText = (typeof personTexts)[number];
export type PersonTexts = Record<PersonText, string>;

interface PersonFieldsProps {
  texts: PersonTexts;
  onText: (name: PersonText, text: string) => void;
  manager: Chosen | null;
  onManager: (manager: Chosen | null) => void;
  /** The person themself cannot be their manager. */
  except: number | undefined;
  problem: (name: string) => string | null;
}

/** The fields of a person, in the form that adds and changes one. */
export function PersonFields({ texts, onText, manager, onManager, except, problem }: PersonFieldsProps) {
  const { people: words } = useWords();
  const { locale } = useFormats();
  const { language } = useHere().workspace;
  const common = (name: PersonText) => ({ label: words[name], value: texts[name], error: problem(name) });
  const text = (name: PersonText) => ({
    ...common(name),
    onChange: ({ target }: { target: { value: string } }) => onText(name, target.value),
  });
  const choice = (name: PersonText) => ({
    ...common(name),
    value: texts[name] || null,
    searchable: true,
    clearable: true,
    limit: 60,
    onChange: (value: string | null) => onText(name, value ?? ''),
  });
  const grid = { cols: { base: 1, xs: 2 }, spacing: 16 };
  return (
    <>
      <SimpleGrid {...grid}>
        <TextInput {...text('firstName')} data-autofocus />
        <TextInput {...text('lastName')} />
        <TextInput
          {...text('preferredName')}
          description={words.preferredNameHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput {...text('email')} />
        <TextInput {...text('phone')} />
        <TextInput {...text('employeeNumber')} />
      </SimpleGrid>
      <h3 className={styles.group}>{words.groups.work}</h3>
      <SimpleGrid {...grid}>
        <TextInput {...text('department')} />
        <TextInput {...text('team')} />
        <PersonField label={words.manager} value={manager} onChange={onManager} except={except} />
        <TextInput {...text('location')} />
        <TextInput {...text('costCentre')} />
        <TextInput {...text('currency')} placeholder={words.currencyHint} maxLength={3} />
      </SimpleGrid>
      <h3 className={styles.group}>{words.groups.dates}</h3>
      <SimpleGrid {...grid}>
        <DateField {...common('hireDate')} onDay={(day, typed) => onText('hireDate', day ?? typed)} />
        <MonthDayField
          {...common('birthday')}
          description={words.birthdayHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onMonthDay={(monthDay) => onText('birthday', monthDay)}
        />
        <Select {...choice('country')} data={countryChoices(locale)} />
        <Select {...choice('timeZone')} data={zoneChoices(texts.timeZone)} />
        <Select {...choice('language')} data={languageChoices(texts.language || language, locale)} />
        <Select
          {...choice('hiddenDays')}
          data={hiddenDays.map((value) => ({ value, label: words.hiddenDaysAre[value] }))}
          description={words.hiddenDaysHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <DateField {...common('leaveStartsOn')} onDay={(day, typed) => onText('leaveStartsOn', day ?? typed)} />
        <DateField {...common('leaveEndsOn')} onDay={(day, typed) => onText('leaveEndsOn', day ?? typed)} />
      </SimpleGrid>
    </>
  );
}

function countryChoices(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  return countries
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale));
}

/** Other names of zones, as US/Eastern, are not in the browser's list. */
function zoneChoices(own: string): string[] {
  return [...new Set([...(own ? [own] : []), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
