import type { Pool } from '@giftwire/sdk';
import { Button, FileButton, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { download } from '../../data/download.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { useOpened, versionOf } from '../../data/version.ts';
import { currencyChoices, usualCurrency } from '../../gift/terms.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const template = 'retailer,value,code,pin,expiry\n';

/** Codes of shops that the company bought: what is left, and a place to add more. */
export default function Pools() {
  const { screens, spending: words } = useWords();
  const canManage = useCan()('settings:manage');
  const [edited, setEdited] = useState<Pool | 'new' | null>(null);
  const pools = useQuery({ queryKey: ['pools'], queryFn: ({ signal }) => giftwire.pools.list({ signal }) });
  const { data, error } = pools;
  const add = canManage && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setEdited('new')}>
      {words.addPool}
    </Button>
  );
  return (
    <Page title={screens.pools} text={words.poolsText} actions={data && data.length > 0 && add}>
      <Fault error={error} retry={() => void pools.refetch()} />
      {!data && !error && <Waiting />}
      {data?.length === 0 && (
        <Empty title={words.noPools} action={add}>
          {words.noPoolsText}
        </Empty>
      )}
      {data?.map((pool) => (
        <PoolSection key={pool.id} pool={pool} onEdit={() => setEdited(pool)} />
      ))}
      {canManage && edited && <PoolDialog pool={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

type Stock = Pool['stocks'][number];

function PoolSection({ pool, onEdit }: { pool: Pool; onEdit: () => void }) {
  const { spending: words } = useWords();
  const { money, number } = useFormats();
  const canManage = useCan()('settings:manage');
  const count = (key: 'left' | 'given' | 'expired', head: string): Column<Stock> => ({
    key,
    head,
    isNumber: true,
    isOptional: key === 'expired',
    cell: (stock) => number(stock[key]),
  });
  const columns: Column<Stock>[] = [
    { key: 'retailer', head: words.retailer, cell: ({ retailer }) => <b>{retailer}</b> },
    { key: 'value', head: words.worth, isNumber: true, cell: ({ value }) => money(value, pool.currency) },
    count('left', words.codesLeft),
    count('given', words.codesGiven),
    count('expired', words.codesExpired),
    { key: 'state', head: words.stock, cell: ({ left }) => <StockPill left={left} lowAt={pool.lowAt} /> },
  ];
  return (
    <Section title={`${pool.name}, ${pool.currency}`} beside={words.lowAt(pool.lowAt)}>
      {pool.stocks.length === 0 ? (
        <p className="second">{words.noCodes}</p>
      ) : (
        <Table
          label={pool.name}
          columns={columns}
          rows={pool.stocks}
          rowKey={({ retailer, value }) => `${retailer} ${value}`}
        />
      )}
      {canManage && <AddCodes pool={pool} onEdit={onEdit} />}
    </Section>
  );
}

function StockPill({ left, lowAt }: { left: number; lowAt: number }) {
  const { spending: words } = useWords();
  if (left === 0)
    return (
      <Pill tone="red" icon="warn">
        {words.empty}
      </Pill>
    );
  return left <= lowAt ? (
    <Pill tone="amber" icon="half">
      {words.low}
    </Pill>
  ) : (
    <span className="quiet">{words.enough}</span>
  );
}

/** Uploads a file of codes. If a line is invalid, nothing is stored, and the lines are named here. */
function AddCodes({ pool, onEdit }: { pool: Pool; onEdit: () => void }) {
  const { spending: words } = useWords();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File) => giftwire.pools.addCodes(pool.id, file),
    onSuccess: async ({ added }) => {
      tell(words.codesAdded(added));
      await queries.invalidateQueries({ queryKey: ['pools'] });
    },
  });
  return (
    <>
      <Group gap={8} mt={12}>
        <FileButton accept="text/csv,.csv" onChange={(file) => file && mutate(file)}>
          {(props) => (
            <Button {...props} loading={isPending} leftSection={<Icon name="upload" />}>
              {words.addCodes}
            </Button>
          )}
        </FileButton>
        <Button variant="subtle" onClick={() => void download('codes.csv', template)}>
          {words.template}
        </Button>
        <Button variant="subtle" color="gray" onClick={onEdit}>
          {words.edit}
        </Button>
      </Group>
      <Fault error={error} />
    </>
  );
}

interface PoolFormProps {
  /** Null: a pool to add. */
  pool: Pool | null;
  onClose: () => void;
}

const usualLow = 10;

function PoolDialog({ pool, onClose }: { pool: Pool | 'new'; onClose: () => void }) {
  return pool === 'new' ? <PoolForm pool={null} onClose={onClose} /> : <OpenedForm pool={pool} onClose={onClose} />;
}

function OpenedForm({ pool, onClose }: { pool: Pool; onClose: () => void }) {
  const { data, error } = useOpened(['pools', pool.id], (options) => giftwire.pools.retrieve(pool.id, options));
  return data || error ? <PoolForm pool={data ?? pool} onClose={onClose} /> : null;
}

function PoolForm({ pool, onClose }: PoolFormProps) {
  const { spending: words } = useWords();
  const { workspace } = useHere();
  const queries = useQueryClient();
  const [ifMatch] = useState(() => versionOf(pool));
  const [name, setName] = useState(pool?.name ?? '');
  const [currency, setCurrency] = useState(() => usualCurrency(workspace.id, workspace.language));
  const [lowAt, setLowAt] = useState(pool?.lowAt ?? usualLow);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      pool
        ? giftwire.pools.update(pool.id, { name, lowAt }, { ifMatch })
        : giftwire.pools.create({ name, currency, lowAt }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['pools'] }),
  });
  const faults = fieldFaults(error, ['name', 'currency', 'lowAt']);
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={pool ? words.changePool : words.addPool}
      onSave={mutate}
      isSaving={isPending}
      fault={faults.rest}
    >
      <TextInput
        label={words.poolName}
        required
        maxLength={100}
        data-autofocus
        value={name}
        error={faults.of('name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {!pool && (
        <Select
          label={words.currency}
          data={currencyChoices(currency)}
          searchable
          allowDeselect={false}
          value={currency}
          error={faults.of('currency')}
          onChange={(value) => value && setCurrency(value)}
        />
      )}
      <NumberInput
        label={words.lowLabel}
        description={words.lowHint}
        min={0}
        max={100_000}
        allowDecimal={false}
        value={lowAt}
        error={faults.of('lowAt')}
        onChange={(value) => setLowAt(Number(value) || 0)}
      />
    </FormDialog>
  );
}
