import type { OrderBudget, OrderValidation } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { notSent } from '../../data/not-sent.ts';
import { usableBudget } from '../../gift/budget.ts';
import { keepCurrency, momentOf } from '../../gift/terms.ts';
import { TestMail } from '../../gift/test-mail.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import { Bar, Page } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { type Draft, missingOf, orderKey, orderOf } from './draft.ts';
import { AmountField, MessageField, Newcomers, NoteField, TermFields } from './fields.tsx';
import { Notes } from './notes.tsx';
import { Preview } from './preview.tsx';
import { Recipients } from './recipients.tsx';
import styles from './send.module.css';
import { Sent } from './sent.tsx';
import { useDraft } from './use-draft.ts';

const settleMs = 350;

/** Send one gift, or the same gift to a few people. */
export default function Send() {
  const { send, screens } = useWords();
  const can = useCan();
  const { workspace } = useHere();
  const { money } = useFormats();
  const queries = useQueryClient();
  const { draftId, draft, error, change, forget, startOver, sendAgain } = useDraft();
  const [isTried, setTried] = useState(false);
  const missing = missingOf(draft);
  const trial = useTrial(draft, missing.length === 0);
  const budget = useBudget(draft.currency, trial.data);
  const { data: reasons = [] } = useQuery({
    queryKey: ['reasons'],
    queryFn: ({ signal }) => giftwire.reasons.list({ signal }),
    enabled: can('recognition:read'),
  });
  const sending = useMutation({
    mutationFn: (order: ReturnType<typeof orderOf>) =>
      giftwire.orders.create(order, { idempotencyKey: orderKey(draftId, order) }),
    onSuccess: () => {
      forget();
      keepCurrency(workspace.id, draft.currency);
    },
    // Other orders may have used the budget meanwhile.
    onSettled: () => queries.invalidateQueries({ queryKey: ['orders', 'trial'] }),
  });
  const submit = () => {
    setTried(true);
    if (missing.length === 0 && !sending.isPending) sending.mutate(orderOf(draft));
  };
  if (sending.data)
    return (
      <Sent
        requestId={sending.data.requestId}
        draft={draft}
        onAnother={() => {
          sending.reset();
          setTried(false);
          startOver();
        }}
        onAgain={() => {
          sending.reset();
          sendAgain();
        }}
      />
    );
  const said = (field: (typeof missing)[number], text: string) => (isTried && missing.includes(field) ? text : null);
  const faultAt = (ending: RegExp) =>
    trial.data?.faults.some(({ path }) => path !== null && ending.test(path)) ?? false;
  const isOverLimit = budget !== null && budget.giftLimit !== null && (draft.amount ?? 0) > budget.giftLimit;
  const amountFault = isOverLimit
    ? send.overLimit(money(budget.giftLimit ?? 0, draft.currency))
    : faultAt(/\.amount$/)
      ? send.needsWholeAmount(draft.currency)
      : null;
  return (
    <Page title={send.title} text={send.intro} actions={<GoButton to="/send-many">{send.many}</GoButton>}>
      <div className={styles.columns}>
        <form
          className={styles.form}
          aria-label={screens.send}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Fault error={error} />
          <Recipients
            chosen={draft.recipients}
            onChange={(recipients) => change({ recipients })}
            error={said('recipients', send.needsRecipient)}
          />
          <Newcomers draft={draft} change={change} />
          <AmountField draft={draft} change={change} error={said('amount', send.needsAmount) ?? amountFault} />
          <MessageField draft={draft} change={change} error={said('message', send.needsMessage)} />
          <TermFields
            draft={draft}
            change={change}
            reasons={reasons}
            dateFault={faultAt(/^deliverAt$/) ? send.needsDate : null}
          />
          <NoteField draft={draft} change={change} />
          {trial.data && missing.length === 0 && <Notes draft={draft} trial={trial.data} />}
          <Fault error={notSent(sending.error, send) ?? trial.error} />
          <Totals
            draft={draft}
            budget={budget}
            isBusy={sending.isPending}
            isRefused={trial.data?.valid === false}
            waits={missing.length === 0 && trial.data?.rule?.outcome === 'ASK'}
            onSend={submit}
          />
        </form>
        <Preview draft={draft} />
      </div>
    </Page>
  );
}

/** What would become of the order, once everything that it needs is there. */
function useTrial(draft: Draft, isComplete: boolean) {
  const [settled] = useDebouncedValue(draft, settleMs);
  const order = orderOf(settled);
  return useQuery({
    queryKey: ['orders', 'trial', order],
    queryFn: ({ signal }) => giftwire.orders.validate(order, { signal }),
    enabled: isComplete && missingOf(settled).length === 0,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}

/** The budget on which the gift draws; null while nothing limits it. An order without gifts is enough to ask for it. */
function useBudget(currency: string, trial: OrderValidation | undefined): OrderBudget | null {
  const { data } = useQuery({
    queryKey: ['orders', 'trial', 'budget', currency],
    queryFn: ({ signal }) => giftwire.orders.validate({ currency, orderItems: [] }, { signal }),
    staleTime: 10_000,
  });
  const budget = (trial?.currency === currency ? trial.budget : data?.budget) ?? null;
  return budget && usableBudget(budget);
}

/** The gift to the first recipient. */
function testOf({ recipients, amount, currency, message, language, reasonId, deliverAt }: Draft) {
  const { firstName = null, lastName = null } = recipients[0] ?? {};
  const gift = { message: message.trim(), amount: amount ?? 0, currency, language, reasonId };
  return { ...gift, deliverAt: momentOf(deliverAt), firstName, lastName };
}

interface TotalsProps {
  draft: Draft;
  budget: OrderBudget | null;
  isBusy: boolean;
  isRefused: boolean;
  /** An approver decides first. */
  waits: boolean;
  onSend: () => void;
}

function Totals({ draft, budget, isBusy, isRefused, waits, onSend }: TotalsProps) {
  const { send } = useWords();
  const { money } = useFormats();
  const { recipients, amount, currency } = draft;
  const gifts = Math.max(1, recipients.length);
  const cost = Math.round((amount ?? 0) * gifts * 10_000) / 10_000;
  const whose = budget ? send.budgets[budget.kind](budget.name ?? '') : '';
  const left = budget && Math.round((budget.available - cost) * 10_000) / 10_000;
  return (
    <Bar
      isStill
      label={send.total}
      actions={
        <>
          <TestMail gift={missingOf(draft).every((one) => one === 'recipients') ? testOf(draft) : null} />
          <Button
            type="submit"
            variant="filled"
            loading={isBusy}
            disabled={isRefused}
            leftSection={<Icon name={waits ? 'approve' : 'plane'} />}
            onClick={(event) => {
              event.preventDefault();
              onSend();
            }}
          >
            {waits ? send.sendForApproval : send.sendGifts(gifts)}
          </Button>
        </>
      }
    >
      {amount === null ? (
        <span className="quiet">
          {budget ? send.budgetLeft(money(budget.available, currency), whose) : send.nothingYet}
        </span>
      ) : (
        <div>
          <b className="figure">{money(cost, currency)}</b>
          <div className="small quiet">{send.giftsOf(gifts, money(amount, currency))}</div>
          {budget && left !== null && (
            <div className={`small ${styles.budget}`} data-over={left < 0 || undefined} role="status">
              {left < 0
                ? send.overBudget(money(cost, currency), money(budget.available, currency), whose)
                : send.budgetAfter(money(left, currency), whose)}
            </div>
          )}
        </div>
      )}
    </Bar>
  );
}
