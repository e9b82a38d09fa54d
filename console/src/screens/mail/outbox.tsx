import type { OutboxMail } from '@giftwire/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';

const size = 20;

/** The emails that were sent, the latest first. */
export function Outbox() {
  const { mail } = useWords().integrations;
  const pages = useInfiniteQuery({
    queryKey: ['gifts', 'outbox'],
    queryFn: ({ pageParam, signal }) =>
      giftwire.outbox.list({ size, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ mails }) => (mails.length < size ? null : (mails.at(-1)?.id ?? null)),
  });
  const { rows, isEmpty, foot } = useTurning(pages, ({ mails }) => mails, { size });
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
  if (pages.error) return <Fault error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Waiting />;
  if (isEmpty)
    return (
      <Empty title={mail.none} action={<GoButton to="/send">{mail.send}</GoButton>}>
        {mail.noneText}
      </Empty>
    );
  return <Table label={mail.outbox} columns={columns} rows={rows} rowKey={({ id }) => id} foot={foot} />;
}
