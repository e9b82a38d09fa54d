import type { CustomField } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { mostCustomFields } from '../../../../src/ground/values/custom-field.ts';
import { useCustomFields } from '../../data/custom-fields.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { FieldActions } from './field-actions.tsx';
import { FieldForm } from './field-form.tsx';

/** The fields of people that the workspace has defined. */
export default function CustomFields() {
  const { screens, customFields: words } = useWords();
  const can = useCan();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useCustomFields();
  const add = can('settings:manage') && (
    <Button
      variant="filled"
      leftSection={<Icon name="plus" />}
      disabled={data && data.length >= mostCustomFields}
      onClick={() => setAdding(true)}
    >
      {words.add}
    </Button>
  );
  const isFull = data && data.length >= mostCustomFields;
  return (
    <Page
      title={screens.customFields}
      text={isFull ? words.full(mostCustomFields) : words.text}
      actions={data && data.length > 0 && add}
    >
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data?.length === 0 && (
        <Empty title={words.none} action={add}>
          {words.noneText}
        </Empty>
      )}
      {data && data.length > 0 && <FieldTable fields={data} />}
      <FieldForm field={null} isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}

function FieldTable({ fields }: { fields: readonly CustomField[] }) {
  const { screens, customFields: words } = useWords();
  const canManage = useCan()('settings:manage');
  const columns: Column<CustomField>[] = [
    {
      key: 'label',
      head: words.label,
      cell: ({ label, key }) => (
        <span>
          <b>{label}</b>
          <div className="quiet small">{key}</div>
        </span>
      ),
    },
    { key: 'kind', head: words.kind, cell: ({ kind }) => words.kinds[kind] },
    {
      key: 'choices',
      head: words.choices,
      isOptional: true,
      cell: ({ choices }) => <span className="second">{choices.join(', ') || '–'}</span>,
    },
  ];
  const actions: Column<CustomField> = {
    key: 'actions',
    head: words.actions,
    hidesHead: true,
    isNumber: true,
    cell: (field) => <FieldActions field={field} />,
  };
  return (
    <Table
      label={screens.customFields}
      columns={canManage ? [...columns, actions] : columns}
      rows={fields}
      rowKey={({ key }) => key}
    />
  );
}
