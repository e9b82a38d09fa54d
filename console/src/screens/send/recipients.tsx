import type { MemberSuggestion } from '@giftwire/sdk';
import { Combobox, Loader, Pill, PillsInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shownNames } from '../../../../src/ground/values/person-name.ts';
import { giftwire } from '../../data/client.ts';
import { Face } from '../../parts/face.tsx';
import { Icon } from '../../parts/icon.tsx';
import { nameOf } from '../../parts/name.ts';
import { useFormats, useWords } from '../../words/words.tsx';
import { canReceive, keyOf, type Recipient } from './draft.ts';
import styles from './send.module.css';

interface RecipientsProps {
  chosen: readonly Recipient[];
  onChange: (recipients: readonly Recipient[]) => void;
  error: string | null;
}

const settleMs = 120;
const mostRecipients = 50;

/** Who gets the gift: people are suggested while the user types, and an unknown address adds a new person. */
export function Recipients({ chosen, onChange, error }: RecipientsProps) {
  const { send } = useWords();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), settleMs);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { data = [], isFetching } = useQuery({
    queryKey: ['people', 'suggestions', asked],
    queryFn: ({ signal }) => giftwire.members.suggest({ search: asked }, { signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : data.filter((one) => !chosen.some(({ id }) => id === one.id));
  const unknown = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(search.trim()) ? search.trim() : null;
  const isKnown = found.some(({ email }) => email?.toLowerCase() === unknown?.toLowerCase());

  const add = (value: string) => {
    const member = found.find(({ id }) => String(id) === value);
    const added = member ? recipientOf(member) : strangerOf(value);
    onChange([...chosen.filter((one) => keyOf(one) !== keyOf(added)), added].slice(0, mostRecipients));
    setSearch('');
    combobox.closeDropdown();
  };
  const remove = (gone: Recipient) => onChange(chosen.filter((one) => one !== gone));

  return (
    <Combobox store={combobox} onOptionSubmit={add}>
      <Combobox.DropdownTarget>
        <PillsInput
          label={send.to}
          error={error}
          rightSection={isFetching && asked !== '' ? <Loader size={16} /> : <Icon name="find" />}
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group>
            {chosen.map((one) => (
              <Pill
                key={keyOf(one)}
                withRemoveButton
                onRemove={() => remove(one)}
                removeButtonProps={{ 'aria-label': send.remove(nameOf(one)), 'aria-hidden': false, tabIndex: 0 }}
              >
                {nameOf(one)}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                placeholder={chosen.length === 0 ? send.toPlaceholder : send.toMore}
                aria-label={send.to}
                value={search}
                onChange={({ currentTarget }) => {
                  setSearch(currentTarget.value);
                  combobox.openDropdown();
                  combobox.selectFirstOption();
                }}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onKeyDown={(event) => {
                  const last = chosen.at(-1);
                  if (event.key === 'Backspace' && search === '' && last) remove(last);
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={search.trim() === ''}>
        <Combobox.Options aria-label={send.suggestions}>
          {found.map((member) => (
            <Combobox.Option key={member.id} value={String(member.id)} disabled={!canReceive(member)}>
              <Suggestion member={member} />
            </Combobox.Option>
          ))}
          {unknown && !isKnown && (
            <Combobox.Option value={unknown}>
              <span className={styles.suggestion}>
                <span className={styles.plus}>
                  <Icon name="plus" />
                </span>
                <span>
                  <b>{send.addNew(unknown)}</b>
                  <span className={`${styles.below} quiet small`}>{send.addNewHint}</span>
                </span>
              </span>
            </Combobox.Option>
          )}
          {found.length === 0 && !unknown && !isFetching && <Combobox.Empty>{send.nobodyFound}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Suggestion({ member }: { member: MemberSuggestion }) {
  const { send } = useWords();
  const { day } = useFormats();
  const { email, employeeNumber, department, location, lastRecognizedOn } = member;
  const where = [department, location].filter(Boolean).join(', ');
  const last = lastRecognizedOn ? send.lastRecognized(day(lastRecognizedOn)) : send.neverRecognized;
  return (
    <span className={styles.suggestion}>
      <Face name={nameOf(member)} />
      <span>
        <b>{nameOf(member)}</b> {where && <span className="quiet">{where}</span>}
        <span className={`${styles.below} quiet small`}>
          {email ?? employeeNumber ?? send.noIdentity} · {last}
        </span>
      </span>
    </span>
  );
}

export function recipientOf(
  member: Omit<Recipient, 'lastRecognizedOn'> & { lastRecognizedOn?: string | null; preferredName?: string | null },
): Recipient {
  const { id, email, employeeNumber, department, lastRecognizedOn = null } = member;
  return { id, email, employeeNumber, ...shownNames(member), department, lastRecognizedOn };
}

function strangerOf(email: string): Recipient {
  return {
    ...{ id: null, email, employeeNumber: null, firstName: '', lastName: '' },
    department: null,
    lastRecognizedOn: null,
  };
}
