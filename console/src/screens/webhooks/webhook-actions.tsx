import type { Webhook, WebhookAttempt } from '@giftwire/sdk';
import { Button, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Fault } from '../../parts/fault.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** What can be done with an endpoint. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { webhooks } = useWords().integrations;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'remove' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const { id, enabled } = webhook;
  const toggle = useMutation({
    mutationFn: () => (enabled ? giftwire.webhooks.disable(id) : giftwire.webhooks.enable(id)),
    onSuccess: async () => {
      await refresh();
      tell(enabled ? webhooks.disabled : webhooks.enabled);
    },
  });
  const test = useMutation({ mutationFn: () => giftwire.webhooks.test(id) });
  const close = () => setDialog(null);
  return (
    <>
      <Button loading={test.isPending} onClick={() => test.mutate()}>
        {webhooks.test}
      </Button>
      <Button onClick={() => setDialog('edit')}>{webhooks.edit}</Button>
      <Button onClick={() => setDialog('rotate')}>{webhooks.rotate}</Button>
      <Button loading={toggle.isPending} onClick={() => toggle.mutate()}>
        {enabled ? webhooks.disable : webhooks.enable}
      </Button>
      <Button variant="subtle" color="red" onClick={() => setDialog('remove')}>
        {webhooks.remove}
      </Button>
      <WebhookForm
        isOpen={dialog === 'edit'}
        onClose={close}
        webhook={webhook}
        save={(change, ifMatch) => giftwire.webhooks.update(id, change, { ifMatch })}
      />
      <Confirm
        isOpen={dialog === 'rotate'}
        onClose={close}
        title={webhooks.rotateTitle}
        act={webhooks.rotate}
        isDangerous={false}
        onAct={async () => setSecret((await giftwire.webhooks.rotate(id)).secret)}
      >
        {webhooks.rotateText}
      </Confirm>
      <Confirm
        isOpen={dialog === 'remove'}
        onClose={close}
        title={webhooks.removeTitle}
        act={webhooks.remove}
        onAct={async () => {
          await giftwire.webhooks.delete(id);
          queries.removeQueries({ queryKey: ['webhooks', id] });
          await navigate({ to: '/integrations' });
          await refresh();
        }}
      >
        {webhooks.removeText}
      </Confirm>
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
      <Outcome attempt={test.data ?? null} error={test.error ?? toggle.error} onClose={test.reset} />
    </>
  );
}

/** What the endpoint answered to a sample. */
function Outcome({ attempt, error, onClose }: { attempt: WebhookAttempt | null; error: unknown; onClose: () => void }) {
  const { webhooks } = useWords().integrations;
  const { close } = useWords().parts;
  return (
    <Modal
      opened={attempt !== null || Boolean(error)}
      onClose={onClose}
      title={<b>{webhooks.test}</b>}
      withCloseButton={false}
    >
      <Stack gap={12}>
        <Fault error={error} />
        {attempt?.succeeded && <p>{webhooks.testTaken(attempt.status ?? 0, attempt.durationMs)}</p>}
        {attempt && !attempt.succeeded && <Fault error={new Error(webhooks.testFailed)} />}
        {attempt?.error && <code className="raw">{attempt.error}</code>}
        {attempt?.answer && <code className="raw">{attempt.answer}</code>}
        <Button onClick={onClose}>{close}</Button>
      </Stack>
    </Modal>
  );
}
