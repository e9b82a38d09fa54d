import type { CustomField } from '@giftwire/sdk';
import { Select, TextInput } from '@mantine/core';
import { useCustomFields } from '../../data/custom-fields.ts';
import { type Filters, useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { DateField } from '../../parts/date-field.tsx';
import { useWords } from '../../words/words.tsx';

export const customFilters = ['customField', 'customValue'] as const;

/** The parameter of the list; absent until field and value are chosen. */
export function customQuery({ customField, customValue }: Filters): { custom?: string } {
  if (!customField || !customValue) return {};
  return { custom: JSON.stringify({ [customField]: customValue }) };
}

/** Filters people by the value of one custom field. Shows nothing in a workspace without custom fields. */
export function CustomFilter() {
  const { customFields: words } = useWords();
  const can = useCan();
  const [filters, change] = useFilters();
  const { data: fields = [] } = useCustomFields();
  if (!can('directory:write') || fields.length === 0) return null;
  const field = fields.find(({ key }) => key === filters.customField);
  return (
    <>
      <Select
        w={{ base: '100%', sm: 180 }}
        aria-label={words.filter}
        placeholder={words.filter}
        clearable
        data={fields.map(({ key, label }) => ({ value: key, label }))}
        value={field?.key ?? null}
        data-set={field ? true : undefined}
        onChange={(key) => change({ customField: key, customValue: null })}
      />
      {field && <ValueField key={field.key} field={field} />}
    </>
  );
}

function ValueField({ field: { label, kind, choices } }: { field: CustomField }) {
  const { customFields: words } = useWords();
  const [{ customValue = '' }, change] = useFilters();
  const set = (value: string | null) => change({ customValue: value });
  const common = {
    w: { base: '100%', sm: 180 },
    'aria-label': words.valueOf(label),
    placeholder: words.value,
    'data-set': customValue ? true : undefined,
  };
  if (kind === 'CHOICE')
    return <Select {...common} clearable searchable data={choices} value={customValue || null} onChange={set} />;
  if (kind === 'DATE') return <DateField {...common} value={customValue} onDay={(day) => day !== null && set(day)} />;
  return (
    <TextInput
      {...common}
      defaultValue={customValue}
      {...(kind === 'NUMBER' && { inputMode: 'decimal' as const })}
      onBlur={({ target }) => set(target.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && set(event.currentTarget.value.trim())}
    />
  );
}
