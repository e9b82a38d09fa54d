import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Language, languages, ownName } from '../../../../src/ground/values/language.ts';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useHere } from '../../data/me.tsx';
import { queries } from '../../data/queries.ts';
import { Fault } from '../../parts/fault.tsx';
import { tell } from '../../parts/tell.tsx';
import { useLanguage, useWords } from '../../words/words.tsx';

/** Name and language. */
export function Profile() {
  const { account: words, parts } = useWords();
  const { language, speak } = useLanguage();
  const { user } = useHere().me;
  const [name, setName] = useState(user?.name ?? '');
  const [chosen, setChosen] = useState<Language>(language);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => giftwire.me.update({ name, language: chosen }),
    onSuccess: async () => {
      speak(chosen);
      await queries.invalidateQueries({ queryKey: ['me'] });
      tell(words.saved);
    },
  });
  const faults = fieldFaults(error, ['name']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={16} maw={420}>
        <TextInput
          label={words.name}
          description={words.nameHint}
          required
          maxLength={100}
          autoComplete="name"
          value={name}
          error={faults.of('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <Select
          label={words.language}
          data={languages.map((one) => ({ value: one, label: ownName(one) }))}
          allowDeselect={false}
          value={chosen}
          onChange={(value) => setChosen((value ?? 'en') as Language)}
        />
        <Fault error={faults.rest} />
        <Group>
          <Button type="submit" loading={isPending}>
            {parts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
