import type { Budget } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { BudgetActions } from './budget-actions.tsx';
import { LevelPill, useBudgetName } from './budget-name.tsx';
import { Entries } from './entries.tsx';
import styles from './money.module.css';

/** One budget: where its money is, its terms, and every entry of its ledger. */
export default function BudgetScreen() {
  const { id = '' } = useParams({ strict: false });
  const { screens } = useWords();
  const budget = useQuery({
    queryKey: ['budgets', 'one', id],
    queryFn: ({ signal }) => giftwire.budgets.retrieve(Number(id), { signal }),
    structuralSharing: false,
  });
  if (budget.data) return <Shown budget={budget.data} />;
  return (
    <Page title={screens.budget} above={<Go to="/money">{screens.budgets}</Go>}>
      {budget.error ? <Fault error={budget.error} retry={() => void budget.refetch()} /> : <Waiting lines={8} />}
    </Page>
  );
}

function Shown({ budget }: { budget: Budget }) {
  const { money: words, screens } = useWords();
  const { money, date } = useFormats();
  const can = useCan();
  const name = useBudgetName()(budget);
  const isOpen = budget.closedAt === null && budget.kind !== 'UNLIMITED';
  const titles = {
    WORKSPACE: words.budgetOfWorkspace,
    MEMBER: words.budgetOf(name),
    TEAM: words.budgetOfGroup(name),
    COST_CENTRE: words.budgetOfGroup(name),
    DEPARTMENT: words.budgetOfGroup(name),
    UNLIMITED: words.unlimited,
  };
  return (
    <Page
      title={`${titles[budget.kind]}, ${budget.currency}`}
      beside={<LevelPill budget={budget} />}
      above={<Go to="/money">{screens.budgets}</Go>}
      text={budget.closedAt === null ? null : words.closedOn(date(budget.closedAt))}
      actions={isOpen && can('budgets:manage') && <BudgetActions budget={budget} />}
    >
      {budget.kind !== 'UNLIMITED' && (
        <p className={styles.left}>{words.leftOf(money(budget.available, budget.currency))}</p>
      )}
      <div className="two">
        <Section title={words.sums}>
          <Sums budget={budget} />
        </Section>
        {budget.kind !== 'UNLIMITED' && (
          <Section title={words.terms}>
            <TermFacts budget={budget} />
          </Section>
        )}
      </div>
      <Section
        title={words.entries}
        beside={
          <CsvButton
            name={`budget-${budget.id}.csv`}
            read={() => giftwire.budgets.entriesCsv(budget.id, { bom: true })}
          />
        }
      >
        <p className="quiet small">{words.entriesHint}</p>
        <Entries budget={budget} />
      </Section>
      {budget.entries > 0 && (
        <Section title={words.head}>
          <p className={`second ${styles.hint}`}>{words.headHint}</p>
          <CopyField label={words.hash} value={budget.head} />
        </Section>
      )}
    </Page>
  );
}

const shares = ['redeemed', 'issued', 'committed', 'available'] as const;

/** What was granted, as one bar of where it is now, with the figures below. */
function Sums({ budget }: { budget: Budget }) {
  const { money: words } = useWords();
  const { money } = useFormats();
  const { granted, currency } = budget;
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {shares.map((key) => (
          <i key={key} data-account={key} style={{ width: `${granted > 0 ? (budget[key] / granted) * 100 : 0}%` }} />
        ))}
      </div>
      <dl className={styles.sums}>
        {shares.map((key) => (
          <div key={key}>
            <dt>
              <i data-account={key} aria-hidden="true" />
              {words.accounts[key]}
            </dt>
            <dd className="figure">{money(budget[key], currency)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <b>{words.accounts.granted}</b>
          </dt>
          <dd className="figure">
            <b>{money(granted, currency)}</b>
          </dd>
        </div>
      </dl>
    </>
  );
}

function TermFacts({ budget }: { budget: Budget }) {
  const { money: words } = useWords();
  const { money, date, list } = useFormats();
  const { giftLimit, personCap, allowance, lapses, lapsesAt, lowPercents, currency } = budget;
  const regular = allowance
    ? `${words.every[allowance.every](money(allowance.amount, currency))}, ${words.nextAt(date(allowance.nextAt))}`
    : words.allowances.NONE;
  const unspent = lapsesAt ? `${words.lapses[lapses ?? 'NONE']}, ${words.lapsesOn(date(lapsesAt))}` : words.lapses.NONE;
  return (
    <Facts
      facts={[
        [words.limit, giftLimit === null ? words.noLimit : money(giftLimit, currency)],
        ...(budget.kind === 'MEMBER'
          ? []
          : [
              [
                words.personCap,
                personCap === null ? words.noCap : words.personCapOf(money(personCap, currency)),
              ] as const,
            ]),
        [words.regular, regular],
        [words.lapse, unspent],
        [words.lowAt, lowPercents.length === 0 ? words.never : list(lowPercents.map(words.percent))],
      ]}
    />
  );
}
