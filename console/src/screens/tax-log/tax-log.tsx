import { Group, Select } from '@mantine/core';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { GoButton } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';
import { TaxLines } from './tax-lines.tsx';
import { TaxPeople } from './tax-people.tsx';

const yearsBack = 7;

/** What each person got in a year, beside the limits of the workspace, or gift by gift. */
export default function TaxLog() {
  const { spending, tax: words } = useWords();
  const [filters, change] = useFilters();
  const current = new Date().getFullYear();
  const year = Number(filters.year ?? current);
  const years = Array.from({ length: yearsBack }, (_, back) => String(current - back));
  const isByGift = filters.view === 'gifts';
  const search = { ...(filters.year && { year: filters.year }), ...(!isByGift && { view: 'gifts' }) };
  return (
    <Page
      title={words.title(year)}
      text={words.text}
      actions={
        <Group gap={8}>
          <Select
            aria-label={spending.year}
            w={104}
            data={[...new Set([String(year), ...years])].sort().reverse()}
            allowDeselect={false}
            value={String(year)}
            onChange={(value) => change({ year: value === String(current) ? null : value })}
          />
          <GoButton to="/money/tax-log" search={search as never}>
            {isByGift ? words.everyPerson : words.everyGift}
          </GoButton>
          <CsvButton name={`tax-log-${year}.csv`} read={() => giftwire.reports.taxLogCsv({ year, bom: true })} />
        </Group>
      }
    >
      {isByGift ? <TaxLines key={year} year={year} /> : <TaxPeople year={year} />}
    </Page>
  );
}
