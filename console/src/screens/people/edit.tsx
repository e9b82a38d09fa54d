import { GiftwireError, type Member, type MemberChange } from '@giftwire/sdk';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCustomFields } from '../../data/custom-fields.ts';
import { versionOf } from '../../data/version.ts';
import { Fault } from '../../parts/fault.tsx';
import { nameOf } from '../../parts/name.ts';
import type { Chosen } from '../../parts/person-field.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { useWords } from '../../words/words.tsx';
import { CustomInputs, customChangeOf, customTextsOf } from './custom-inputs.tsx';
import { PersonFields, type PersonText, type PersonTexts, personTexts } from './person-fields.tsx';

interface EditProps {
  /** Null: a person to add. */
  member: Member | null;
  isOpen: boolean;
  onClose: () => void;
  onSaved: (member: Member) => void;
}

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
  const { people: words, parts } = useWords();
  const [fields, setFields] = useState(() => fieldsOf(member));
  const [manager, setManager] = useState<Chosen | null>(
    member?.manager ? { id: member.manager.id, name: managerName(member) } : null,
  );
  /** The version that the form shows, also when the person is read again meanwhile. */
  const [ifMatch] = useState(() => versionOf(member));
  const { data: customFields = [] } = useCustomFields();
  const [custom, setCustom] = useState(() => customTextsOf(member));
  const { error, isBusy, submit } = useSubmit(async () => {
    const values = customChangeOf(member, customFields, custom);
    const change = {
      ...changeOf(member, fields, manager),
      ...(Object.keys(values).length > 0 && { custom: values }),
    };
    onSaved(
      member ? await giftwire.members.update(member.id, change, { ifMatch }) : await giftwire.members.create(change),
    );
    onClose();
  });
  const problem = (name: string) => problemAt(error, name);
  const customNames = customFields.map(({ key }) => `custom\\.${key}`);
  const isAtField = [...personTexts, ...customNames, 'managerId'].some((name) => problem(name) !== null);
  return (
    <form onSubmit={submit}>
      <Stack gap={16}>
        <PersonFields
          texts={fields}
          onText={(name, text) => setFields((before) => ({ ...before, [name]: text }))}
          manager={manager}
          onManager={setManager}
          except={member?.id}
          problem={problem}
        />
        <CustomInputs
          fields={customFields}
          texts={custom}
          onText={(key, text) => setCustom((before) => ({ ...before, [key]: text }))}
          problem={problem}
        />
        {member && nameParts.some((name) => fields[name].trim() !== fieldsOf(member)[name]) && (
          <Text c="dimmed" fz="sm" role="status">
            {words.sentKeeps}
          </Text>
        )}
        <Fault error={isAtField && problem('managerId') === null ? null : error} />
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{words.back}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {parts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const nameParts = ['firstName', 'lastName', 'preferredName'] as const;

function fieldsOf(member: Member | null): PersonTexts {
  const known = { ...member, team: member?.team.name } as Partial<Record<PersonText, string | null>>;
  return Object.fromEntries(personTexts.map((name) => [name, known[name] ?? ''])) as PersonTexts;
}

/** Only what differs is sent, so that two people who edit the same person do not undo each other's changes. */
function changeOf(member: Member | null, fields: PersonTexts, manager: Chosen | null): MemberChange {
  const before = fieldsOf(member);
  const changed = personTexts.filter((name) => fields[name].trim() !== before[name]);
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
