import type { Webhook as Endpoint } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { Attempts } from './attempts.tsx';
import { Posts } from './posts.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookState } from './webhook-state.tsx';

/** One endpoint: how far it has got, what failed, and what can be done about it. */
export default function Webhook() {
  const { webhooks } = useWords().integrations;
  const can = useCan();
  const id = Number((useParams({ strict: false }) as { id: string }).id);
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => giftwire.webhooks.retrieve(id, { signal }),
    structuralSharing: false,
    refetchInterval: 5_000,
  });
  return (
    <Page
      title={data?.url ?? webhooks.back}
      above={<Go to="/integrations">{webhooks.back}</Go>}
      beside={data && <WebhookState webhook={data} />}
      text={data?.description}
      actions={data && can('webhooks:manage') && <WebhookActions webhook={data} />}
    >
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data && (
        <>
          <Trouble webhook={data} />
          <Posts webhook={data} />
          <EndpointFacts webhook={data} />
          <Section title={webhooks.attempts} beside={webhooks.attemptsHint}>
            <Attempts webhook={data} />
          </Section>
        </>
      )}
    </Page>
  );
}

/** Why it gets nothing, or since when everything fails. */
function Trouble({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Endpoint }) {
  const { webhooks } = useWords().integrations;
  const { moment } = useFormats();
  const reasons: Record<string, string> = {
    GONE: webhooks.reasonGone,
    FAILING: webhooks.reasonFailing,
    BY_HAND: webhooks.reasonByHand,
  };
  if (!enabled) return <p className="second">{`${reasons[disabledReason ?? ''] ?? ''} ${webhooks.disabled}`.trim()}</p>;
  if (!failingSince) return null;
  return <Fault error={new Error(`${webhooks.failingSince} ${moment(failingSince)}. ${webhooks.notLost}`)} />;
}

function EndpointFacts({ webhook }: { webhook: Endpoint }) {
  const { webhooks, eventNames } = useWords().integrations;
  const { number } = useFormats();
  const { types, ordering, deliveredThrough, waitingRetries, createdAt } = webhook;
  return (
    <Section title={webhooks.events}>
      <Facts
        facts={[
          [webhooks.types, types.length === 0 ? webhooks.allEvents : types.map((type) => eventNames[type]).join(', ')],
          [webhooks.ordering, ordering === 'strict' ? webhooks.strict : webhooks.anyOrder],
          [webhooks.through, <span className="figure" key="through">{`№ ${number(deliveredThrough)}`}</span>],
          [webhooks.waiting, webhooks.waitingCount(waitingRetries)],
          [webhooks.added, <When key="added" time={createdAt} as="date" />],
        ]}
      />
    </Section>
  );
}
