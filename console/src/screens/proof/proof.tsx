import type { PayrollExport } from '@giftwire/sdk';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { AuditProof } from './audit-proof.tsx';
import { FullVerification } from './full-verification.tsx';
import { LedgerProof } from './ledger-proof.tsx';

const size = 10;

/** For auditors: that nothing was changed afterwards, by the hashes of the ledger and of payroll files. */
export default function Proof() {
  const { screens, audit: words, money } = useWords();
  const canReadAudit = useCan()('audit:read');
  return (
    <Page title={screens.proof} text={words.proofText} above={<Go to="/settings/audit">{screens.audit}</Go>}>
      <Section title={words.ledger}>
        <LedgerProof />
      </Section>
      <Section title={money.fully}>
        <FullVerification />
      </Section>
      {canReadAudit && (
        <Section title={words.chain}>
          <AuditProof />
        </Section>
      )}
      <Section title={words.payrollFiles}>
        <Text className="second" mb={12}>
          {words.payrollFilesText}
        </Text>
        <PayrollHashes />
      </Section>
    </Page>
  );
}

function PayrollHashes() {
  const { audit: words, spending } = useWords();
  const { number } = useFormats();
  const [filters] = useFilters();
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['redemptions', 'payroll', 'proof', page],
    queryFn: ({ signal }) => giftwire.payroll.list({ page, size }, { signal }),
  });
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!data) return <Waiting />;
  if (data.totalElements === 0) return <p className="quiet">{spending.noExports}</p>;
  const columns: Column<PayrollExport>[] = [
    { key: 'number', head: spending.exportNumber, cell: ({ number: nth }) => <b>{spending.exportOf(number(nth))}</b> },
    { key: 'closed', head: spending.closed, cell: ({ closedAt }) => <When time={closedAt} /> },
    { key: 'hash', head: words.hash, isWide: true, cell: ({ sha256 }) => <code className="small">{sha256}</code> },
  ];
  return (
    <Table
      label={words.payrollFiles}
      columns={columns}
      rows={data.exports}
      rowKey={({ number: nth }) => nth}
      foot={data.totalElements > size && <ListPages list={data} />}
    />
  );
}
