import type { Automation } from '@giftwire/sdk';
import { Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { termsIn } from './terms.ts';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function RenameDialog({
  isOpen,
  name,
  onClose,
  onName,
}: DialogProps & { name: string; onName: (name: string) => void }) {
  const { automations: words } = useWords();
  const [typed, setTyped] = useState<string | null>(null);
  const close = () => {
    setTyped(null);
    onClose();
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={words.renameTitle}
      cancel={words.cancel}
      save={words.rename}
      isSaving={false}
      fault={null}
      onSave={() => {
        if (typed?.trim()) onName(typed.trim());
        close();
      }}
    >
      <TextInput
        label={words.name}
        maxLength={100}
        data-autofocus
        value={typed ?? name}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}

/** Turns an automation on, or lets a paused one continue. */
export function useSwitch() {
  const { automations: words } = useWords();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ id }: Automation) => giftwire.automations.update(id, { state: 'ON' }),
    onSuccess: (_, { name, state }) => {
      tell(state === 'DRAFT' ? words.turnedOn(name) : words.resumed(name));
      return queries.invalidateQueries({ queryKey: ['automations'] });
    },
  });
  return { resume: mutate, isResuming: isPending, error };
}

export function PauseDialog({ isOpen, automation, onClose }: DialogProps & { automation: Automation }) {
  const { automations: words } = useWords();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const pause = useMutation({
    mutationFn: () =>
      giftwire.automations.update(automation.id, {
        state: 'PAUSED',
        pauseNote: note.trim() === '' ? null : note.trim(),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['automations'] });
      tell(words.paused(automation.name));
      setNote('');
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.pauseTitle(automation.name)}
      cancel={words.cancel}
      save={words.pause}
      isSaving={pause.isPending}
      fault={pause.error}
      onSave={() => pause.mutate()}
    >
      <TextInput
        label={words.pauseNote}
        maxLength={200}
        data-autofocus
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
    </FormDialog>
  );
}

/** Lets one occurrence of the plan go out now, or one whose hour has just passed. */
export function RunDialog({ isOpen, automation, onClose }: DialogProps & { automation: Automation }) {
  const { automations: words } = useWords();
  const { day } = useFormats();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: ['automations', 'run', automation.id],
    queryFn: async ({ signal }) => {
      const [automationId, terms] = [automation.id, termsIn(automation)];
      const { months, passed } = await giftwire.automations.plan({ terms, automationId }, { signal });
      const plans = await Promise.all(
        months
          .filter(({ people }) => people > 0)
          .map(({ month }) => giftwire.automations.plan({ terms, automationId, month }, { signal })),
      );
      return [...passed, ...plans.flatMap(({ listed }) => listed)];
    },
    enabled: isOpen,
  });
  const options = new Map(
    (data ?? []).map((one) => [
      `${one.memberId} ${one.forDay}`,
      { one, label: `${one.firstName} ${one.lastName}, ${day(one.forDay)}` },
    ]),
  );
  const run = useMutation({
    mutationFn: async () => {
      const found = options.get(chosen ?? '')?.one;
      if (found) await giftwire.automations.run(automation.id, { memberId: found.memberId, forDay: found.forDay });
      return found;
    },
    onSuccess: async (found) => {
      await queries.invalidateQueries({ queryKey: ['automations'] });
      if (found) tell(words.ran(`${found.firstName} ${found.lastName}`.trim()));
      setChosen(null);
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.runTitle(automation.name)}
      cancel={words.cancel}
      save={words.run}
      isSaving={run.isPending}
      fault={run.error}
      onSave={() => run.mutate()}
    >
      <p>{words.runText}</p>
      <Select
        label={words.runPerson}
        searchable
        limit={50}
        required
        data={[...options].map(([value, { label }]) => ({ value, label }))}
        value={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
