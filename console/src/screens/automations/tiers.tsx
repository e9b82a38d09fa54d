import { Button, NumberInput, Popover, Select, Switch, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { currencyChoices } from '../../gift/terms.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automation.module.css';
import slotStyles from './slot.module.css';
import { Choices, Slot, TypedField } from './slot.tsx';
import type { AutomationTerms, SlotsProps } from './terms.ts';

type Action = AutomationTerms['action'];
type Tier = NonNullable<Action['byYears']>[number];

/** A gift, a shoutout or a draft for the manager. */
export function ActionSlot({ terms: { action, trigger }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  const { is, byYears, amount } = action;
  const isAnniversary = trigger.is === 'ANNIVERSARY';
  return (
    <Slot label={words.fields.action} text={words.actions[is]} isFixed={isFixed}>
      {() => (
        <>
          <Choices
            label={words.fields.action}
            value={is}
            options={words.actionKinds}
            onChange={(next) => change({ action: ofKind(action, next) })}
          />
          {is === 'GIFT' && (
            <Select
              label={words.currency}
              data={currencyChoices(action.currency ?? 'CAD')}
              searchable
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              value={action.currency ?? null}
              onChange={(currency) => currency && change({ action: { ...action, currency } })}
            />
          )}
          {is === 'GIFT' && isAnniversary && (
            <Switch
              label={words.byYears}
              checked={byYears !== undefined}
              onChange={({ target }) => {
                const { byYears: _, further: __, amount: ___, ...rest } = action;
                change({
                  action: target.checked
                    ? { ...rest, byYears: [{ years: 1, amount: amount ?? 50 }] }
                    : { ...rest, amount: byYears?.[0]?.amount ?? 50 },
                });
              }}
            />
          )}
        </>
      )}
    </Slot>
  );
}

function ofKind(action: Action, is: Action['is']): Action {
  if (is === 'GIFT')
    return { ...action, is, currency: action.currency ?? 'CAD', ...(!action.byYears && { amount: 25 }) };
  const { amount: _, currency: __, byYears: ___, further: ____, ...rest } = action;
  return { ...rest, is };
}

export function AmountSlot({ terms: { action }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  const { money } = useFormats();
  const { amount, currency = 'CAD' } = action;
  return (
    <Slot
      label={words.amount}
      text={amount === undefined ? words.noAmount : money(amount, currency)}
      isFixed={isFixed}
      isMissing={amount === undefined}
    >
      {(close) => (
        <TypedField onDone={close}>
          <AmountInput
            label={words.amount}
            currency={currency}
            value={amount ?? null}
            onChange={(value) => {
              const { amount: _, ...rest } = action;
              change({ action: value === null ? rest : { ...rest, amount: value } });
            }}
          />
        </TypedField>
      )}
    </Slot>
  );
}

/** Amounts by years, each in a cell of its own. A cell that differs from what is stored is tinted. */
export function Tiers({ terms: { action }, isFixed, change, stored }: SlotsProps & { stored: AutomationTerms | null }) {
  const { automations: words } = useWords();
  const { byYears = [], further, currency = 'CAD' } = action;
  const before = new Map(stored?.action.byYears?.map((tier) => [tier.years, tier.amount]));
  const hasGift = action.is === 'GIFT';
  const set = (tiers: readonly Tier[]) =>
    change({ action: { ...action, byYears: [...tiers].sort((a, b) => a.years - b.years) } });
  const replace = (nth: number, tier: Tier) => set(byYears.map((one, at) => (at === nth ? tier : one)));
  const withAmount = <T extends object>(rest: T, amount: number | null) =>
    amount === null ? rest : { ...rest, amount };
  return (
    <ul className={styles.tiers}>
      {byYears.map((tier, nth) => (
        <Cell
          key={tier.years}
          head={words.occasions.years(tier.years)}
          amount={hasGift ? tier.amount : null}
          currency={currency}
          isFixed={isFixed}
          isChanged={stored !== null && before.get(tier.years) !== tier.amount}
          onAmount={(amount) => replace(nth, withAmount({ years: tier.years }, amount))}
          onRemove={byYears.length > 1 ? () => set(byYears.filter((_, at) => at !== nth)) : null}
        />
      ))}
      {further && (
        <Cell
          head={words.further(further.every)}
          amount={hasGift ? further.amount : null}
          currency={currency}
          isFixed={isFixed}
          isChanged={stored !== null && stored.action.further?.amount !== further.amount}
          onAmount={(amount) =>
            change({ action: { ...action, further: withAmount({ every: further.every }, amount) } })
          }
          onRemove={() => {
            const { further: _, ...rest } = action;
            change({ action: rest });
          }}
        >
          <NumberInput
            label={`${words.every} (${words.yearsUnit})`}
            min={1}
            max={50}
            allowDecimal={false}
            value={further.every}
            onChange={(every) =>
              every !== '' && change({ action: { ...action, further: { ...further, every: Number(every) } } })
            }
          />
        </Cell>
      )}
      {!isFixed && (
        <li>
          <AddTier
            currency={currency}
            hasGift={hasGift}
            hasFurther={further !== undefined}
            taken={byYears.map(({ years }) => years)}
            onAdd={(tier) => set([...byYears.filter(({ years }) => years !== tier.years), tier])}
            onFurther={(amount) => change({ action: { ...action, further: withAmount({ every: 5 }, amount) } })}
          />
        </li>
      )}
    </ul>
  );
}

interface CellProps {
  head: string;
  /** Null: no gift. */
  amount: number | null | undefined;
  currency: string;
  isFixed: boolean;
  isChanged: boolean;
  onAmount: (amount: number | null) => void;
  onRemove: (() => void) | null;
  children?: ReactNode;
}

function Cell({ head, amount, currency, isFixed, isChanged, onAmount, onRemove, children }: CellProps) {
  const { automations: words } = useWords();
  const { money } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const shown = amount === null ? '' : amount === undefined ? words.noAmount : money(amount, currency);
  const inside = (
    <>
      <span>{head}</span>
      <b>{shown}</b>
    </>
  );
  if (isFixed) return <li className={styles.tier}>{inside}</li>;
  return (
    <li>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withRoles={false}>
        <Popover.Target>
          <UnstyledButton
            className={styles.tier}
            data-changed={isChanged || undefined}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {inside}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={head} className={slotStyles.field}>
          <TypedField onDone={() => setOpen(false)}>
            {children}
            {amount !== null && (
              <AmountInput label={words.amount} currency={currency} value={amount ?? null} onChange={onAmount} />
            )}
          </TypedField>
          {onRemove && (
            <Button variant="subtle" color="red" size="compact-md" onClick={onRemove}>
              {words.remove}
            </Button>
          )}
        </Popover.Dropdown>
      </Popover>
    </li>
  );
}

interface AddTierProps {
  currency: string;
  hasGift: boolean;
  hasFurther: boolean;
  taken: readonly number[];
  onAdd: (tier: Tier) => void;
  onFurther: (amount: number | null) => void;
}

function AddTier({ currency, hasGift, hasFurther, taken, onAdd, onFurther }: AddTierProps) {
  const { automations: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  const [years, setYears] = useState<number | null>(null);
  const [amount, setAmount] = useState<number | null>(50);
  const canAdd = years !== null && years >= 1 && !taken.includes(years) && (!hasGift || amount !== null);
  const done = () => {
    setYears(null);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <UnstyledButton
          className={`${styles.tier} ${styles.addTier}`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="plus" size={14} />
          {words.addYears}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={words.addYears} className={slotStyles.field}>
        <NumberInput
          label={words.years}
          min={1}
          max={100}
          allowDecimal={false}
          value={years ?? ''}
          onChange={(typed) => setYears(typed === '' ? null : Number(typed))}
        />
        {hasGift && <AmountInput label={words.amount} currency={currency} value={amount} onChange={setAmount} />}
        <Button
          variant="filled"
          disabled={!canAdd}
          onClick={() => {
            if (years !== null) onAdd(hasGift && amount !== null ? { years, amount } : { years });
            done();
          }}
        >
          {words.addPart}
        </Button>
        {!hasFurther && (
          <Button
            variant="subtle"
            onClick={() => {
              onFurther(hasGift ? (amount ?? 50) : null);
              done();
            }}
          >
            {words.furtherTitle}: {words.further(5)}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
