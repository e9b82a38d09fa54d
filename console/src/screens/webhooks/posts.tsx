import type { Webhook } from '@giftwire/sdk';
import { Section } from '../../parts/page.tsx';
import { Ticks } from '../../parts/ticks.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** How many attempts have succeeded and failed lately. An endpoint without any shows nothing. */
export function Posts({ webhook: { posts } }: { webhook: Webhook }) {
  const { integrations, parts } = useWords();
  const { webhooks } = integrations;
  const { number, moment } = useFormats();
  const said = (succeeded: number, failed: number) =>
    [
      webhooks.succeededCount(succeeded, number(succeeded)),
      failed > 0 && webhooks.failedAttempts(failed, number(failed)),
    ]
      .filter(Boolean)
      .join(', ');
  const sum = (count: 'succeeded' | 'failed') => posts.reduce((total, one) => total + one[count], 0);
  const [succeeded, failed] = [sum('succeeded'), sum('failed')];
  if (succeeded + failed === 0) return null;
  const total = said(succeeded, failed);
  return (
    <Section title={webhooks.past} beside={total}>
      <Ticks
        label={`${webhooks.past}${parts.colon}${total}`}
        ticks={posts.map((one) => ({
          key: one.startedAt,
          good: one.succeeded,
          bad: one.failed,
          title: `${moment(one.startedAt)}${parts.colon}${said(one.succeeded, one.failed)}`,
        }))}
      />
    </Section>
  );
}
