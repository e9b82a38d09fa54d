import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Framed } from '../../parts/framed.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Facts, Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './mail.module.css';

/** One email of the outbox as its recipient sees it, with the way to the page of its gift. */
export default function SentMail() {
  const { mail } = useWords().integrations;
  const { id } = useParams({ strict: false }) as { id: string };
  const can = useCan();
  const [form, setForm] = useState('mail');
  const { data, error, refetch } = useQuery({
    queryKey: ['gifts', 'outbox', 'mail', id],
    queryFn: ({ signal }) => giftwire.outbox.retrieve(id, { signal }),
  });
  const link = data && pageLink(data.text);
  return (
    <Page
      title={data?.subject ?? mail.back}
      above={<Go to="/integrations/mail">{mail.back}</Go>}
      actions={
        <>
          {data && can('gifts:read') && <GoButton to={`/gifts/${data.giftId}`}>{mail.gift}</GoButton>}
          {link && (
            <Button component="a" variant="filled" href={link} target="_blank" rel="noreferrer">
              {mail.openPage}
            </Button>
          )}
        </>
      }
    >
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data && (
        <div className="two">
          {form === 'mail' ? (
            <div className={styles.frame}>
              <Framed html={data.html} title={data.subject} scheme="light" />
            </div>
          ) : (
            <div className={styles.text}>{data.text}</div>
          )}
          <div>
            <SegmentedControl
              mb={24}
              value={form}
              onChange={setForm}
              data={[
                { value: 'mail', label: mail.asMail },
                { value: 'text', label: mail.asText },
              ]}
            />
            <Facts
              facts={[
                [mail.from, data.from],
                [mail.to, data.to],
                [mail.kind, mail[data.kind]],
                [mail.sent, <When key="sent" time={data.sentAt} />],
              ]}
            />
          </div>
        </div>
      )}
    </Page>
  );
}

/** The gift's link as the email has it, on the address of this service: the email may name another one, as localhost. */
function pageLink(text: string): string | null {
  const [, path] = /https?:\/\/\S+?(\/g#\S+)/.exec(text) ?? [];
  return path ?? null;
}
