import type { Webhook } from '@giftwire/sdk';
import { Pill } from '../../parts/state-pill.tsx';
import { useWords } from '../../words/words.tsx';

/** Whether an endpoint takes what it is sent. */
export function WebhookState({ webhook: { enabled, failingSince } }: { webhook: Webhook }) {
  const { webhooks } = useWords().integrations;
  if (!enabled)
    return (
      <Pill tone="neutral" icon="no">
        {webhooks.off}
      </Pill>
    );
  return failingSince ? (
    <Pill tone="red" icon="warn">
      {webhooks.failing}
    </Pill>
  ) : (
    <Pill tone="green" icon="ok">
      {webhooks.working}
    </Pill>
  );
}
