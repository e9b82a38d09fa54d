import { GiftwireError, type Member, type MemberChange, responseOf } from '@giftwire/sdk';
import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { DateField } from '../../parts/date-field.tsx';
import { Fault } from '../../parts/fault.tsx';
import { nameOf } from '../../parts/name.ts';
import { type Chosen, PersonField } from '../../parts/person-field.tsx';
import { useWords } from '../../words/words.tsx';
import { useSubmit } from '../gifts/dialogs.tsx';

interface EditProps {
  /** Null: a person to add. */
  member: Member | null;
  isOpen: boolean;
  onClose: () => void;
  onSaved: (member: Member) => void;
}

const texts = [
  'firstName',
  'lastName',
  'email',
  'employeeNumber',
  'department',
  'team',
  'location',
  'country',
  'costCentre',
  'currency',
  'hiredOn',
] as const;
type TextField = (typeof texts)[number];
type Fields = Record<TextField, string>;

/** The fields of a person. What the service refuses stands at its field. */
export function EditPerson(props: EditProps) {
  const { people: words } = useWords();
  const { member, isOpen, onClose } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={<b>{member ? words.editTitle(nameOf(member)) : words.addTitle}</b>}
      withCloseButton={false}
    >
      {isOpen && <EditForm {...props} />}
    </Modal>
  );
}

function EditForm({ member, onClose, onSaved }: EditProps) {
  const { people: words } = useWords();
  const [fields, setFields] = useState(() => fieldsOf(member));
  const [manager, setManager] = useState<Chosen | null>(
    member?.manager ? { id: member.manager.id, name: managerName(member) } : null,
  );
  /** The version that the form shows, also when the person is read again meanwhile. */
  const [ifMatch] = useState(() => (member && responseOf(member)?.etag) ?? undefined);
  const { error, isBusy, submit } = useSubmit(async () => {
    const change = changeOf(member, fields, manager);
    onSaved(
      member ? await giftwire.members.update(member.id, change, { ifMatch }) : await giftwire.members.create(change),
    );
    onClose();
  });
  const problem = (name: string) => problemAt(error, name);
  const field = (name: TextField) => ({
    label: words[name],
    value: fields[name],
    error: problem(name),
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  });
  const isAtField = [...texts, 'managerId'].some((name) => problem(name) !== null);
  return (
    <form onSubmit={submit}>
      <Stack gap={16}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
          <TextInput {...field('firstName')} data-autofocus />
          <TextInput {...field('lastName')} />
          <TextInput {...field('email')} />
          <TextInput {...field('employeeNumber')} />
          <TextInput {...field('department')} />
          <TextInput {...field('team')} />
          <TextInput {...field('location')} />
          <TextInput {...field('country')} />
          <TextInput {...field('costCentre')} />
          <TextInput {...field('currency')} placeholder={words.currencyHint} maxLength={3} />
          <DateField
            label={words.hiredOn}
            value={fields.hiredOn}
            error={problem('hiredOn')}
            onDay={(day, typed) => setFields({ ...fields, hiredOn: day ?? typed })}
          />
          <PersonField label={words.manager} value={manager} onChange={setManager} except={member?.id} />
        </SimpleGrid>
        <Fault error={isAtField && problem('managerId') === null ? null : error} />
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{words.back}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function fieldsOf(member: Member | null): Fields {
  const known = { ...member, team: member?.team.name } as Partial<Record<TextField, string | null>>;
  return Object.fromEntries(texts.map((name) => [name, known[name] ?? ''])) as Fields;
}

/** Only what differs is sent, so that two people who edit the same person do not undo each other's changes. */
function changeOf(member: Member | null, fields: Fields, manager: Chosen | null): MemberChange {
  const before = fieldsOf(member);
  const changed = texts.filter((name) => fields[name].trim() !== before[name]);
  const isOther = (manager?.id ?? null) !== (member?.manager?.id ?? null);
  return {
    ...Object.fromEntries(changed.map((name) => [name, fields[name].trim() || null])),
    ...(isOther && { managerId: manager?.id ?? null }),
  };
}

/** What is wrong with a field, after its name in the message of the service. */
function problemAt(error: unknown, name: string): string | null {
  if (!(error instanceof GiftwireError)) return null;
  const [, said = null] = new RegExp(`(?:^|: |; )${name} ([^;]+)`).exec(error.message) ?? [];
  return said;
}

function managerName({ manager }: Member): string {
  return `${manager?.firstName} ${manager?.lastName}`.trim() || manager?.email || String(manager?.id);
}
