import type { Webhook } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

/** All endpoints that events are posted to. */
export default function Webhooks() {
  const words = useWords();
  const { webhooks } = words.integrations;
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => giftwire.webhooks.list({ signal }),
  });
  const add = useCan()('webhooks:manage') && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {webhooks.add}
    </Button>
  );
  return (
    <Page title={words.screens.webhooks} text={webhooks.text} actions={data && data.length > 0 && add}>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data?.length === 0 && (
        <Empty title={webhooks.none} action={add}>
          {webhooks.noneText}
        </Empty>
      )}
      {data && data.length > 0 && <WebhookTable webhooks={data} />}
      <WebhookForm
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        save={async (webhook) => setSecret((await giftwire.webhooks.create(webhook)).secret)}
      />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </Page>
  );
}

function WebhookTable({ webhooks: rows }: { webhooks: readonly Webhook[] }) {
  const { screens, integrations } = useWords();
  const { webhooks } = integrations;
  const { number } = useFormats();
  const columns: Column<Webhook>[] = [
    {
      key: 'url',
      head: webhooks.address,
      cell: ({ id, url, description }) => (
        <span>
          <Go to={`/integrations/webhooks/${id}`}>{url}</Go>
          {description && <div className="quiet small">{description}</div>}
        </span>
      ),
    },
    { key: 'state', head: webhooks.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      key: 'events',
      head: webhooks.events,
      isOptional: true,
      cell: ({ types }) => (types.length === 0 ? webhooks.allEvents : webhooks.some(types.length)),
    },
    { key: 'waiting', head: webhooks.waiting, isNumber: true, cell: ({ waitingRetries }) => number(waitingRetries) },
  ];
  return <Table label={screens.webhooks} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
