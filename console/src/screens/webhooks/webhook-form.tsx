import type { EventType, NewWebhook, Webhook } from '@giftwire/sdk';
import { MultiSelect, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldFaults } from '../../data/field-faults.ts';
import { versionOf } from '../../data/version.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useOpening } from '../../parts/use-opening.ts';
import { useWords } from '../../words/words.tsx';

interface WebhookFormProps {
  isOpen: boolean;
  onClose: () => void;
  /** The one to change; absent: a new one. */
  webhook?: Webhook;
  /** `version` is that of the webhook as the form shows it. */
  save: (webhook: NewWebhook, version: string | undefined) => Promise<unknown>;
}

const blank: NewWebhook = { url: '', types: [], ordering: 'none', description: null };

export function WebhookForm({ isOpen, onClose, webhook, save }: WebhookFormProps) {
  const { integrations } = useWords();
  const { webhooks, eventNames } = integrations;
  const queries = useQueryClient();
  const [draft, setDraft] = useState(blank);
  const [version, setVersion] = useState<string>();
  const stale = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => save(draft, version),
    onError: stale,
    onSuccess: async () => {
      await stale();
      onClose();
    },
  });
  useOpening(isOpen, () => {
    reset();
    setDraft(webhook ? asDraft(webhook) : blank);
    setVersion(versionOf(webhook));
  });
  const change = (part: Partial<NewWebhook>) => setDraft((before) => ({ ...before, ...part }));
  const faults = fieldFaults(error, ['url', 'types', 'description']);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={webhook ? webhooks.edit : webhooks.add}
      onSave={mutate}
      isSaving={isPending}
      fault={faults.rest}
    >
      <TextInput
        label={webhooks.url}
        description={webhooks.urlHint}
        type="url"
        placeholder="https://example.com/giftwire"
        required
        data-autofocus
        value={draft.url}
        error={faults.of('url')}
        onChange={({ target }) => change({ url: target.value })}
      />
      <MultiSelect
        label={webhooks.types}
        description={webhooks.typesHint}
        data={Object.entries(eventNames).map(([value, label]) => ({ value, label }))}
        searchable
        clearable
        value={draft.types ?? []}
        error={faults.of('types')}
        onChange={(types) => change({ types: types as EventType[] })}
      />
      <TextInput
        label={webhooks.description}
        value={draft.description ?? ''}
        maxLength={200}
        error={faults.of('description')}
        onChange={({ target }) => change({ description: target.value || null })}
      />
      <Switch
        label={webhooks.strict}
        description={webhooks.strictHint}
        checked={draft.ordering === 'strict'}
        onChange={({ target }) => change({ ordering: target.checked ? 'strict' : 'none' })}
      />
    </FormDialog>
  );
}

function asDraft({ url, types, ordering, description }: Webhook): NewWebhook {
  return { url, types, ordering, description };
}
