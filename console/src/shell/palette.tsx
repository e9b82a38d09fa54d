import { Combobox, Modal, ScrollArea, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { giftwire } from '../data/client.ts';
import { useCan, useHere } from '../data/me.tsx';
import { Face } from '../parts/face.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { nameOf } from '../parts/name.ts';
import { isOpenTo, screens } from '../screens.ts';
import { useFormats, useWords } from '../words/words.tsx';
import styles from './palette.module.css';

interface Choice {
  key: string;
  label: string;
  hint?: string;
  icon?: IconName;
  go: () => void;
}

/** Everything by its name: screens, people, actions. Arrows choose, Enter goes. */
export default function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { frame } = useWords();
  const [text, setText] = useState('');
  const box = useCombobox({ opened: true });
  const groups = useChoices(text.trim());
  const found = groups.flatMap(({ choices }) => choices.map(({ key }) => key)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter goes to the first of what is found
  useEffect(() => {
    if (isOpen) box.selectFirstOption();
  }, [found, isOpen]);
  const leave = () => {
    setText('');
    onClose();
  };
  const choose = (key: string) => {
    groups
      .flatMap(({ choices }) => choices)
      .find((choice) => choice.key === key)
      ?.go();
    leave();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      withCloseButton={false}
      padding={0}
      yOffset="12vh"
      centered={false}
      size={560}
      attributes={{ content: { 'aria-label': frame.searchName } }}
    >
      <Combobox store={box} onOptionSubmit={choose}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label={frame.searchName}
            placeholder={frame.search}
            leftSection={<Icon name="find" />}
            size="md"
            variant="unstyled"
            classNames={{ root: styles.field }}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Combobox.EventsTarget>
        <ScrollArea.Autosize mah="52vh">
          <Combobox.Options className={styles.options} aria-label={frame.searchName}>
            {groups.map(({ label, choices }) => (
              <Combobox.Group key={label} label={label}>
                {choices.map(({ key, label: name, hint, icon }) => (
                  <Combobox.Option key={key} value={key} className={styles.option}>
                    {icon ? <Icon name={icon} /> : <Face name={name} size={24} />}
                    <span>{name}</span>
                    {hint && <span className="quiet small">{hint}</span>}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {groups.length === 0 && <Combobox.Empty>{frame.nothingFound}</Combobox.Empty>}
          </Combobox.Options>
        </ScrollArea.Autosize>
      </Combobox>
    </Modal>
  );
}

function useChoices(text: string): { label: string; choices: Choice[] }[] {
  const words = useWords();
  const { frame } = words;
  const { workspace } = useHere();
  const navigate = useNavigate();
  const people = usePeople(text);
  const places: Choice[] = screens
    .filter(isOpenTo(workspace))
    .filter(({ path }) => !path.includes('$'))
    .map(({ path, name, icon, group }) => ({
      key: path,
      label: words.screens[name],
      ...(group && { hint: words.screens[group] }),
      icon,
      go: () => void navigate({ to: path }),
    }))
    .filter(({ label, hint = '' }) => isLike(`${label} ${hint}`, text));
  return [
    { label: frame.peopleGroup, choices: people },
    { label: frame.screensGroup, choices: places },
  ].filter(({ choices }) => choices.length > 0);
}

const shownPeople = 8;

function usePeople(text: string): Choice[] {
  const { frame } = useWords();
  const { number } = useFormats();
  const can = useCan();
  const navigate = useNavigate();
  const [search] = useDebouncedValue(text, 150);
  const { data } = useQuery({
    queryKey: ['people', 'palette', search],
    queryFn: ({ signal }) => giftwire.members.list({ search, size: shownPeople }, { signal }),
    enabled: search.length >= 2 && can('directory:read'),
    placeholderData: (before) => before,
  });
  if (text.length < 2 || !data) return [];
  const { members, totalElements, totalIsMinimum } = data;
  const all: Choice = {
    key: 'all people',
    label: frame.allPeople(number(totalElements), totalIsMinimum === true),
    icon: 'people',
    go: () => void navigate({ to: '/people', search: { search } as never }),
  };
  const found = members.map((member) => ({
    key: `person ${member.id}`,
    label: nameOf(member, String(member.id)),
    ...(member.email && { hint: member.email }),
    go: () => void navigate({ to: `/people/${member.id}` }),
  }));
  return totalElements > members.length ? [...found, all] : found;
}

/** Every word that was typed begins a word of the name. Accents do not matter. */
function isLike(name: string, text: string): boolean {
  const fold = (one: string) => one.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const parts = fold(name).split(/[\s’'-]+/);
  return fold(text)
    .split(/\s+/)
    .every((typed) => parts.some((part) => part.startsWith(typed)));
}
