import type { FeedPost } from '@giftwire/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Icon } from '../../../parts/icon.tsx';
import { giftwire } from '../../data/client.ts';
import { useKept } from '../../data/kept.ts';
import { useIsKiosk } from '../../data/me.tsx';
import { useReasons } from '../../data/reasons.ts';
import { Action } from '../../parts/action.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useWords } from '../../words/words.tsx';
import { countPeople, type Draft, emptyDraft, hasGift, requestOf } from './draft.ts';
import { GiftField } from './gift-field.tsx';
import { Given } from './given.tsx';
import { Recipients } from './recipients.tsx';

/** Gives a shoutout: the words come before the names and the money. */
export function Give() {
  const { give: words } = useWords();
  const [kept, setDraft] = useKept<Draft>('shoutout', emptyDraft);
  const draft = { ...emptyDraft, ...kept };
  const [given, setGiven] = useState<FeedPost | null>(null);
  return (
    <Screen title={words.title} at="give">
      {given ? (
        <Given post={given} onAnother={() => setGiven(null)} />
      ) : (
        <GiveForm
          draft={draft}
          onChange={(change) => setDraft({ ...draft, ...change })}
          onGiven={(post) => {
            setDraft(emptyDraft);
            setGiven(post);
          }}
        />
      )}
    </Screen>
  );
}

interface GiveFormProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  onGiven: (post: FeedPost) => void;
}

function GiveForm({ draft, onChange, onGiven }: GiveFormProps) {
  const { give: words, parts } = useWords();
  const queries = useQueryClient();
  const isKiosk = useIsKiosk();
  const [isChecked, setIsChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const reasons = useReasons();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => giftwire.feed.give(requestOf(draft)),
    onSuccess: (post) => {
      void queries.invalidateQueries({ queryKey: ['posts'] });
      void queries.invalidateQueries({ queryKey: ['giving'] });
      onGiven(post);
    },
  });
  const isMissing = {
    message: draft.message.trim() === '',
    to: draft.to.length === 0,
    amount: !draft.isPrivate && draft.gift !== null && !hasGift(draft),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!isMissing.message && !isMissing.to && !isMissing.amount && !isPending) mutate();
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const people = countPeople(draft.to);
  const isStarted = draft.message !== '' || draft.to.length > 0;
  const usual = reasons.find(({ isDefault }) => isDefault)?.id ?? reasons[0]?.id;
  return (
    <form ref={form} className="step" onSubmit={submit} noValidate>
      <h1 className="title">{words.title}</h1>
      <div className="block">
        <Field label={words.what} hint={words.whatHint} fault={isChecked && isMissing.message ? words.noMessage : null}>
          {(control) => (
            <textarea
              {...control}
              className="input letter"
              maxLength={1_000}
              value={draft.message}
              onChange={({ target }) => onChange({ message: target.value })}
            />
          )}
        </Field>
        <Recipients
          chosen={draft.to}
          fault={isChecked && isMissing.to ? words.noRecipient : null}
          onChange={(to) => onChange({ to })}
        />
      </div>
      {reasons.length > 1 && (
        <div className="card block">
          <div className="line">
            <label htmlFor="reason">
              <b>{words.reason}</b>
            </label>
            <Choice
              id="reason"
              value={String(draft.reasonId ?? usual ?? '')}
              options={reasons.map(({ id, description }) => ({ value: String(id), label: description }))}
              onChange={(id) => onChange({ reasonId: Number(id) })}
            />
          </div>
        </div>
      )}
      <GiftField draft={draft} people={people} isChecked={isChecked} onChange={onChange} />
      <fieldset className="segments block" aria-label={words.who}>
        <button type="button" aria-pressed={!draft.isPrivate} onClick={() => onChange({ isPrivate: false })}>
          <Icon name="people" />
          {words.everyone}
        </button>
        <button type="button" aria-pressed={draft.isPrivate} onClick={() => onChange({ isPrivate: true })}>
          <Icon name="lock" />
          {words.only}
        </button>
      </fieldset>
      <div className="end">
        <Fault error={error} not={words.notSent} retry={() => mutate()} retryLabel={parts.retry} />
        <Action type="submit" isPending={isPending}>
          {people === null ? words.giveTeam : words.give(people)}
        </Action>
        <p className="small">
          {draft.isPrivate ? words.onlyText : draft.gift ? words.everyoneGiftText : words.everyoneText}
        </p>
        {isStarted && !isKiosk && (
          <p className="small draft">
            {words.draft}
            <button type="button" className="link" onClick={() => onChange(emptyDraft)}>
              {words.clear}
            </button>
          </p>
        )}
      </div>
    </form>
  );
}
