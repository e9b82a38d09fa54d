import type { Automation, AutomationPlan } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useHere } from '../../data/me.tsx';
import { useBegunVersion } from '../../data/version.ts';
import { keepCurrency } from '../../gift/terms.ts';
import { Fault } from '../../parts/fault.tsx';
import { Bar, Section } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automation.module.css';
import { Care, Difference } from './care.tsx';
import { Message, type MessageLanguage, messageLanguages } from './message.tsx';
import { MonthTable } from './month-table.tsx';
import { Months } from './months.tsx';
import { Sentences } from './sentences.tsx';
import { type Draft, isWhole } from './use-draft.ts';

interface EditorProps {
  draft: Draft;
  stored: Automation | null;
  isFixed: boolean;
}

const typingMs = 400;

/** Sentences on the left, the message on the right, the year beneath, and the total in sight. */
export function Editor({ draft, stored, isFixed }: EditorProps) {
  const { workspace } = useHere();
  const { terms, isDirty } = draft;
  const own = messageLanguages.find((one) => workspace.language.startsWith(one)) ?? 'EN';
  const [language, setLanguage] = useState<MessageLanguage>(own);
  const [month, setMonth] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { data: plan, error, isPlaceholderData, refetch } = usePlan(draft, stored, month);
  const write = (chosen: MessageLanguage) => {
    setLanguage(chosen);
    field.current?.focus();
  };
  return (
    <>
      <div className={styles.two}>
        <Sentences terms={terms} isFixed={isFixed} change={draft.change} stored={draft.stored} />
        <Message
          terms={terms}
          plan={plan}
          isFixed={isFixed}
          language={language}
          onLanguage={setLanguage}
          change={draft.change}
          field={field}
        />
      </div>
      <Fault error={error} retry={() => void refetch()} />
      {!plan && !error && <Waiting lines={8} />}
      {plan && (
        <Year
          plan={plan}
          draft={draft}
          month={month ?? busiest(plan)}
          onMonth={setMonth}
          automationId={stored && !isFixed ? stored.id : null}
          onLanguage={write}
          isDirty={isDirty && !isPlaceholderData}
        />
      )}
      {!isFixed && <SaveBar plan={plan} draft={draft} stored={stored} />}
    </>
  );
}

/** The next twelve months of what the screen says, counted by the service. */
function usePlan({ terms, isDirty }: Draft, stored: Automation | null, month: string | null) {
  const [asked] = useDebouncedValue(terms, typingMs);
  const request = {
    terms: asked,
    ...(stored && { automationId: stored.id }),
    ...(month && { month }),
  };
  return useQuery({
    queryKey: ['automations', 'plan', request, isDirty],
    queryFn: ({ signal }) => planWithMonth(request, signal),
    enabled: isWhole(asked),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The plan, with a month as a table from the beginning. */
async function planWithMonth(request: Parameters<typeof giftwire.automations.plan>[0], signal: AbortSignal) {
  const plan = await giftwire.automations.plan(request, { signal });
  if (request.month || plan.listed.length > 0) return plan;
  const { listed } = await giftwire.automations.plan({ ...request, month: busiest(plan) }, { signal });
  return { ...plan, listed };
}

/** The first month that money is short in, else the first with people. */
function busiest({ months }: AutomationPlan): string {
  const found = months.find(({ short }) => short > 0) ?? months.find(({ people }) => people > 0) ?? months[0];
  return found?.month ?? '';
}

interface YearProps {
  plan: AutomationPlan;
  draft: Draft;
  month: string;
  onMonth: (month: string) => void;
  automationId: number | null;
  onLanguage: (language: MessageLanguage) => void;
  isDirty: boolean;
}

function Year({ plan, draft, month, onMonth, automationId, onLanguage, isDirty }: YearProps) {
  const { automations: words } = useWords();
  const { money } = useFormats();
  const { currency, months, total } = plan;
  const lines = new Set(months.flatMap(({ available }) => available ?? []));
  const [line] = lines;
  const hints = [
    ...(currency && total.amount > 0 ? [words.months.text(currency)] : []),
    ...(currency && line !== undefined && lines.size === 1 ? [words.months.line(money(line, currency))] : []),
    ...(currency && lines.size > 1 ? [words.months.lineVaries] : []),
    ...(draft.terms.trigger.is === 'ANNIVERSARY' ? [words.months.ring] : []),
  ];
  return (
    <Section title={words.months.title} beside={hints.join(' · ')}>
      <div className="box">
        <Months plan={plan} chosen={month} onChoose={onMonth} />
        <Care plan={plan} terms={draft.terms} onLanguage={onLanguage} />
        {isDirty && <Difference plan={plan} />}
      </div>
      {total.occurrences === 0 && <p className={`quiet ${styles.none}`}>{words.months.empty}</p>}
      <MonthTable plan={plan} month={month} terms={draft.terms} automationId={automationId} />
    </Section>
  );
}

interface SaveBarProps {
  plan: AutomationPlan | undefined;
  draft: Draft;
  stored: Automation | null;
}

function SaveBar({ plan, draft, stored }: SaveBarProps) {
  const { automations: words } = useWords();
  const { money } = useFormats();
  const { workspace } = useHere();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { terms, changes, isDirty } = draft;
  const ifMatch = useBegunVersion(stored, isDirty);
  const save = useMutation({
    mutationFn: async (turnsOn: boolean) => {
      const saved = stored
        ? await giftwire.automations.update(
            stored.id,
            { ...changes, ...(turnsOn && { state: 'ON' as const }) },
            { ifMatch },
          )
        : await giftwire.automations.create(terms);
      return stored || !turnsOn ? saved : giftwire.automations.update(saved.id, { state: 'ON' });
    },
    onSuccess: async (saved, turnsOn) => {
      if (terms.action.currency) keepCurrency(workspace.id, terms.action.currency);
      queries.setQueryData(['automations', 'one', String(saved.id)], saved);
      draft.discard();
      await queries.invalidateQueries({ queryKey: ['automations'] });
      tell(turnsOn ? words.turnedOn(saved.name) : saved.state === 'DRAFT' ? words.savedDraft : words.saved);
      if (!stored) await navigate({ to: `/automations/${saved.id}`, replace: true });
    },
  });
  const canTurnOn = stored?.state !== 'ON' && stored?.state !== 'PAUSED';
  const total = plan?.total;
  const before = isDirty ? plan?.difference?.before : undefined;
  return (
    <>
      <Fault error={save.error} />
      <Bar
        label={words.bar.label}
        actions={
          <>
            {stored && isDirty && (
              <Button variant="subtle" onClick={draft.discard}>
                {words.bar.discard}
              </Button>
            )}
            {(isDirty || !stored) && (
              <Button
                variant={canTurnOn ? 'default' : 'filled'}
                disabled={!isWhole(terms)}
                loading={save.isPending && save.variables === false}
                onClick={() => save.mutate(false)}
              >
                {canTurnOn ? words.bar.saveDraft : words.bar.save}
              </Button>
            )}
            {canTurnOn && (
              <Button
                variant="filled"
                disabled={!isWhole(terms)}
                loading={save.isPending && save.variables === true}
                onClick={() => save.mutate(true)}
              >
                {words.bar.turnOn}
              </Button>
            )}
          </>
        }
      >
        <div aria-live="polite">
          {total && (
            <>
              <p className={styles.total}>{plan.currency ? money(total.amount, plan.currency) : words.noCost}</p>
              <p className="quiet small">
                {(plan.currency ? words.bar.total : words.bar.free)(total.occurrences, total.people)}
              </p>
            </>
          )}
        </div>
        {before && plan?.currency && before.amount !== total?.amount && (
          <p className="second small">{words.bar.before(money(before.amount, plan.currency))}</p>
        )}
      </Bar>
    </>
  );
}
