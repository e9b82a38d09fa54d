import type { OutboxMail } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';

const size = 20;

/** The emails that were sent, the latest first. */
export function Outbox() {
  const { mail } = useWords().integrations;
  const [filters, change] = useFilters();
  const { before } = filters;
  const { data, error, refetch } = useQuery({
    queryKey: ['gifts', 'outbox', before],
    queryFn: ({ signal }) => giftwire.outbox.list({ size, ...(before && { before }) }, { signal }),
    placeholderData: (shown) => shown,
  });
  const columns: Column<OutboxMail>[] = [
    {
      key: 'subject',
      head: mail.subject,
      cell: ({ id, subject }) => <Go to={`/integrations/mail/${id}`}>{subject}</Go>,
    },
    { key: 'to', head: mail.to, cell: ({ to }) => to },
    { key: 'kind', head: mail.kind, isOptional: true, cell: ({ kind }) => mail[kind] },
    { key: 'sent', head: mail.sent, cell: ({ sentAt }) => <When time={sentAt} as="ago" /> },
  ];
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!data) return <Waiting />;
  if (data.mails.length === 0)
    return (
      <Empty title={mail.none} action={<GoButton to="/send">{mail.send}</GoButton>}>
        {mail.noneText}
      </Empty>
    );
  const last = data.mails.at(-1)?.id ?? null;
  return (
    <Table
      label={mail.outbox}
      columns={columns}
      rows={data.mails}
      rowKey={({ id }) => id}
      foot={
        <>
          <Button size="compact-sm" disabled={!before} onClick={() => change({ before: null })}>
            {mail.newest}
          </Button>
          <Button size="compact-sm" disabled={data.mails.length < size} onClick={() => change({ before: last })}>
            {mail.older}
          </Button>
        </>
      }
    />
  );
}
