import type { MailTestResult } from '@giftwire/sdk';
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useHere } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';

/** Sends an email that says only that email works, and shows what the mail server said. */
export function MailTest() {
  const { mail } = useWords().integrations;
  const { me } = useHere();
  const [to, setTo] = useState(me.user?.email ?? '');
  const { mutate, data, isPending, error } = useMutation({ mutationFn: () => giftwire.mail.test({ to }) });
  const faults = fieldFaults(error, ['to']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="end" gap={8} mb={12}>
        <TextInput
          label={mail.testTo}
          type="email"
          required
          w={320}
          maw="100%"
          value={to}
          error={faults.of('to')}
          onChange={({ target }) => setTo(target.value)}
        />
        <Button type="submit" loading={isPending}>
          {mail.testSend}
        </Button>
      </Group>
      <Fault error={faults.rest} />
      {data && <Result result={data} />}
    </form>
  );
}

function Result({ result: { delivery, answer } }: { result: MailTestResult }) {
  const { mail } = useWords().integrations;
  return (
    <div role="status">
      {delivery === 'FAILED' ? (
        <Fault error={new Error(mail.testFailed)} />
      ) : (
        <p>{delivery === 'SENT' ? mail.testSent : mail.testKept}</p>
      )}
      {answer && <code className="raw">{answer}</code>}
    </div>
  );
}
