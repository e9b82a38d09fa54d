import type { MemberSuggestion } from '@giftwire/sdk';
import { Button, Checkbox, Group, Modal, NativeSelect, Select, Stack, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { randomId } from '../../data/random-id.ts';
import { Fault } from '../../parts/fault.tsx';
import { nameOf } from '../../parts/name.ts';
import { tell } from '../../parts/tell.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { useWords } from '../../words/words.tsx';

const longest = 1_000;

interface GiveProps {
  isOpen: boolean;
  /** Whom to thank, where that is known. */
  memberId: number | null;
  onClose: () => void;
}

/** The form that says thanks without a gift. */
export function Give({ isOpen, memberId, onClose }: GiveProps) {
  const { recognition, parts } = useWords();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={<b>{recognition.give}</b>}
      size="lg"
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      {isOpen && <GiveForm memberId={memberId} onClose={onClose} />}
    </Modal>
  );
}

type Person = Pick<MemberSuggestion, 'id' | 'firstName' | 'lastName' | 'email' | 'employeeNumber'> & {
  preferredName?: string | null;
};

function GiveForm({ memberId, onClose }: Omit<GiveProps, 'isOpen'>) {
  const { recognition, parts } = useWords();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Person | null>(null);
  const [message, setMessage] = useState('');
  const [reasonId, setReasonId] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const [isTried, setTried] = useState(false);
  // Pressing the button twice, or again after a lost answer, says thanks once.
  const [idempotencyKey] = useState(randomId);
  const { data: known } = useQuery({
    queryKey: ['people', memberId],
    queryFn: ({ signal }) => giftwire.members.retrieve(memberId as number, { signal }),
    enabled: memberId !== null,
  });
  const { data: reasons = [] } = useQuery({
    queryKey: ['reasons'],
    queryFn: ({ signal }) => giftwire.reasons.list({ signal }),
  });
  const person = chosen ?? known ?? null;
  const text = message.trim();
  const { error, isBusy, submit } = useSubmit(async () => {
    setTried(true);
    if (!person || text === '') return;
    const recipient = person.email ? { email: person.email } : { employeeNumber: person.employeeNumber ?? '' };
    const shoutout = { recipient, message: text, isPrivate, ...(reasonId && { reasonId: Number(reasonId) }) };
    const { status } = await giftwire.shoutouts.create(shoutout, { idempotencyKey });
    tell(status === 'PENDING' ? recognition.givenWaits(nameOf(person)) : recognition.given(nameOf(person)));
    for (const name of ['shoutouts', 'activities', 'reports']) void queries.invalidateQueries({ queryKey: [name] });
    onClose();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <Choose person={person} onChoose={setChosen} error={isTried && !person ? recognition.missingTo : null} />
        <Textarea
          label={recognition.message}
          description={recognition.messageHint}
          error={isTried && text === '' ? recognition.missingMessage : null}
          autosize
          minRows={4}
          maxLength={longest}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
          classNames={{ input: 'letter' }}
        />
        {message.length > longest - 100 && (
          <span className="quiet small">{recognition.left(longest - message.length)}</span>
        )}
        <NativeSelect
          label={recognition.reason}
          value={reasonId || String(reasons.find((one) => one.isDefault)?.id ?? '')}
          onChange={({ target }) => setReasonId(target.value)}
          data={reasons.map(({ id, description }) => ({ value: String(id), label: description }))}
        />
        <Checkbox
          label={recognition.isPrivate}
          description={recognition.isPrivateHint}
          checked={isPrivate}
          onChange={({ target }) => setPrivate(target.checked)}
        />
        <Fault error={error} />
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{parts.cancel}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {recognition.give}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ChooseProps {
  person: Person | null;
  onChoose: (person: Person | null) => void;
  error: string | null;
}

/** People are suggested as one types. */
function Choose({ person, onChoose, error }: ChooseProps) {
  const { recognition } = useWords();
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 150);
  const name = person ? nameOf(person) : '';
  const { data: found = [] } = useQuery({
    queryKey: ['people', 'suggestions', asked],
    queryFn: ({ signal }) => giftwire.members.suggest({ search: asked }, { signal }),
    enabled: asked !== '' && asked !== name,
    placeholderData: keepPreviousData,
  });
  const people = [...(person ? [person] : []), ...found.filter(({ id }) => id !== person?.id)];
  return (
    <Select
      label={recognition.to}
      placeholder={recognition.toHint}
      nothingFoundMessage={asked === '' ? undefined : recognition.nobodyFound}
      error={error}
      searchable
      clearable
      data-autofocus={person === null || undefined}
      data={people.map((one) => ({ value: String(one.id), label: labelOf(one, people) }))}
      filter={({ options }) => options}
      value={person ? String(person.id) : null}
      onChange={(value) => onChoose(people.find(({ id }) => String(id) === value) ?? null)}
      onSearchChange={setTyped}
    />
  );
}

/** Two people of one name have their addresses beside it. */
function labelOf(one: Person, people: readonly Person[]): string {
  const isDouble = people.some((other) => other.id !== one.id && nameOf(other) === nameOf(one));
  return isDouble ? `${nameOf(one)} (${one.email ?? one.employeeNumber})` : nameOf(one);
}
