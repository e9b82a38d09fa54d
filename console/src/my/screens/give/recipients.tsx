import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react';
import { Face } from '../../../parts/face.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { giftwire } from '../../data/client.ts';
import { fullName } from '../../data/people.ts';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';
import { personAsRecipient, type Recipient } from './draft.ts';

interface RecipientsProps {
  chosen: readonly Recipient[];
  fault: string | null;
  onChange: (chosen: Recipient[]) => void;
}

interface Found extends Recipient {
  /** What tells two people of one name apart. */
  about: string;
}

/** Whom it is for: people and teams, found by name. Arrow keys and Enter choose, Backspace removes the last one. */
export function Recipients({ chosen, fault, onChange }: RecipientsProps) {
  const { give: words } = useWords();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const search = useDeferredValue(typed.trim());
  const { data: found, error } = useFound(search, chosen);
  const isOpen = typed.trim() !== '' && found !== undefined;
  const choose = (one: Found | undefined) => {
    if (!one) return;
    const { kind, id: itsId, name, people } = one;
    onChange([...chosen, { kind, id: itsId, name, people }]);
    setTyped('');
    setAt(0);
    field.current?.focus();
  };
  const remove = (gone: Recipient) => {
    onChange(chosen.filter((one) => one !== gone));
    field.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const last = chosen.at(-1);
    if (event.key === 'Backspace' && typed === '' && last) remove(last);
    if (!isOpen) return;
    if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((at - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') choose(found[at]);
    else if (event.key === 'Escape') setTyped('');
    else return;
    event.preventDefault();
  };
  return (
    <div className="field">
      <label htmlFor={id}>{words.to}</label>
      {chosen.length > 0 && (
        <ul className="chosen">
          {chosen.map((one) => (
            <li className="chip" key={`${one.kind}${one.id}`}>
              {one.kind === 'team' ? <Icon name="people" /> : <Face name={one.name} size={24} />}
              {one.name}
              <button type="button" aria-label={words.remove(one.name)} onClick={() => remove(one)}>
                <Icon name="close" size={15} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="finder">
        <input
          ref={field}
          id={id}
          className="input"
          role="combobox"
          autoComplete="off"
          aria-expanded={isOpen}
          aria-controls={`${id}-found`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && found[at] ? `${id}-${at}` : undefined}
          aria-invalid={fault !== null}
          aria-describedby={fault ? `${id}-fault` : undefined}
          placeholder={words.add}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        {isOpen && (
          <div className="found">
            <div id={`${id}-found`} role="listbox" aria-label={words.to}>
              {found.map((one, nth) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
                <div
                  key={`${one.kind}${one.id}`}
                  id={`${id}-${nth}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={nth === at}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(one)}
                >
                  {one.kind === 'team' ? <Icon name="people" size={20} /> : <Face name={one.name} />}
                  <span>
                    {one.name}
                    {one.about && <span className="small">{one.about}</span>}
                  </span>
                </div>
              ))}
            </div>
            {found.length === 0 && <p className="none lines">{words.none}</p>}
          </div>
        )}
      </div>
      <p className="said" role="status">
        {isOpen ? words.found(found.length) : ''}
      </p>
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          <Icon name="warn" />
          {fault}
        </p>
      )}
      <Fault error={error} />
    </div>
  );
}

function useFound(search: string, chosen: readonly Recipient[]) {
  const { give: words } = useWords();
  const read = useQuery({
    queryKey: ['colleagues', search],
    queryFn: () => giftwire.feed.colleagues({ search, size: 8 }),
    enabled: search !== '',
    placeholderData: (before) => before,
  });
  const isChosen = (one: Recipient) => chosen.some(({ kind, id }) => kind === one.kind && id === one.id);
  const data =
    search === ''
      ? undefined
      : read.data &&
        [
          ...read.data.teams.map(
            ({ id, name, people }): Found => ({ kind: 'team', id, name, people, about: words.team(people) }),
          ),
          ...read.data.people.map(
            (person): Found => ({
              ...personAsRecipient(person),
              name: fullName(person),
              about: [person.team, person.location].filter(Boolean).join(', '),
            }),
          ),
        ].filter((one) => !isChosen(one));
  return { data, error: read.error };
}
