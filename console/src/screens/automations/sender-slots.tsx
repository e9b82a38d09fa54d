import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { PersonField } from '../../parts/person-field.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { useBudgetName } from '../money/budget-name.tsx';
import { useMemberNames } from '../rules/names.ts';
import { Choices, Slot } from './slot.tsx';
import type { SlotsProps } from './terms.ts';
import { DaysSlot } from './when-slots.tsx';

/** Whose name people read. */
export function SenderSlot({ terms: { from }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  const names = useMemberNames(from.memberId ? [from.memberId] : []);
  const name = from.memberId ? (names.get(from.memberId) ?? '…') : null;
  return (
    <Slot
      label={words.fields.from}
      text={name ?? words.senders[from.is]}
      isFixed={isFixed}
      isMissing={from.is === 'MEMBER' && !name}
    >
      {(close) => (
        <>
          <Choices
            label={words.fields.from}
            value={from.is}
            options={words.senders}
            onChange={(is) => {
              change({ from: { is } });
              if (is !== 'MEMBER') close();
            }}
          />
          {from.is === 'MEMBER' && (
            <PersonField
              comboboxProps={{ withinPortal: false }}
              label={words.fields.person}
              value={from.memberId && name ? { id: from.memberId, name } : null}
              onChange={(person) => change({ from: { is: 'MEMBER', ...(person && { memberId: person.id }) } })}
            />
          )}
        </>
      )}
    </Slot>
  );
}

/** How long the manager has to add a line. */
export function LeadSlot({ terms: { leadDays }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  return (
    <DaysSlot
      label={words.fields.lead}
      hint={words.leadHint}
      text={leadDays > 0 ? words.days(leadDays) : words.notAsked}
      value={leadDays}
      most={30}
      isFixed={isFixed}
      onChange={(days) => change({ leadDays: days })}
    />
  );
}

const most = 1_000;
const own = 'WORKSPACE';

/** The budget that pays. */
export function BudgetSlot({ terms: { budgetId, action }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  const { money } = useFormats();
  const canRead = useCan()('budgets:read');
  const nameOf = useBudgetName();
  const { data } = useQuery({
    queryKey: ['budgets', 'choices'],
    queryFn: ({ signal }) => giftwire.budgets.list({ size: most }, { signal }),
    enabled: canRead,
  });
  const budgets = (data?.budgets ?? []).filter(({ closedAt, currency }) => !closedAt && currency === action.currency);
  const named = budgets.filter(({ kind }) => kind !== 'WORKSPACE' && kind !== 'UNLIMITED');
  const chosen = budgetId === null ? null : budgets.find(({ id }) => id === budgetId);
  const text = budgetId === null ? words.workspaceBudget : chosen ? nameOf(chosen) : '…';
  return (
    <Slot label={words.fields.budget} text={text} isFixed={isFixed}>
      {(close) => (
        <Select
          label={words.fields.budget}
          searchable
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={[
            { value: own, label: words.workspaceBudget },
            ...named.map((budget) => ({
              value: String(budget.id),
              label: `${nameOf(budget)}, ${money(budget.available, budget.currency)}`,
            })),
          ]}
          value={budgetId === null ? own : String(budgetId)}
          onChange={(value) => {
            if (value) change({ budgetId: value === own ? null : Number(value) });
            close();
          }}
        />
      )}
    </Slot>
  );
}
