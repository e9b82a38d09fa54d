import type { MailSetup } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Dot } from '../../parts/timeline.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './mail.module.css';
import { MailTest } from './mail-test.tsx';
import { Outbox } from './outbox.tsx';

/** How emails leave the installation, a test, and in the test environment the emails themselves. */
export default function Mail() {
  const { screens, integrations } = useWords();
  const { mail } = integrations;
  const { me } = useHere();
  const can = useCan();
  const { data, error, refetch } = useQuery({
    queryKey: ['mail'],
    queryFn: ({ signal }) => giftwire.mail.retrieve({ signal }),
  });
  return (
    <Page title={screens.mail} text={mail.text}>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting lines={2} />}
      {data && <Setup setup={data} />}
      {data?.delivery === 'SMTP' && can('settings:manage') && (
        <Section title={mail.testTitle}>
          <MailTest />
        </Section>
      )}
      {me.environment === 'test' && data && data.delivery !== 'OFF' && can('gifts:manage') && (
        <Section title={mail.outbox} beside={mail.outboxHint}>
          <Outbox />
        </Section>
      )}
    </Page>
  );
}

function Setup({ setup: { delivery, server, from, pausedUntil } }: { setup: MailSetup }) {
  const { mail } = useWords().integrations;
  const { moment } = useFormats();
  const texts = { SMTP: mail.smtpText(server ?? '', from), OUTBOX: mail.outboxText, OFF: mail.offText };
  return (
    <>
      <div className={`box ${styles.setup}`}>
        <Dot icon="mail" tone={delivery === 'SMTP' ? 'blue' : 'neutral'} />
        <div>
          <b>{mail[delivery]}</b>
          <p className="second">{texts[delivery]}</p>
        </div>
      </div>
      {pausedUntil && <Fault error={new Error(`${mail.paused} ${moment(pausedUntil)}.`)} />}
    </>
  );
}
