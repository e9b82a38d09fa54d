import type { Amount, ApprovalPage, Attention as Counts } from '@giftwire/sdk';
import { useHere } from '../../data/me.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import type { Tone } from '../../parts/state-pill.tsx';
import { Dot } from '../../parts/timeline.tsx';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import styles from './home.module.css';
import { PendingApprovals } from './pending-approvals.tsx';

interface OpenTasks extends Counts {
  /** Erasures that another person has asked for. */
  erasuresToConfirm: number;
}

interface Row {
  key: keyof OpenTasks;
  icon: IconName;
  tone: Tone;
  to: string;
  search?: Record<string, string>;
  /** The screen that the button opens does not exist without it. */
  scope: string;
}

const rows: readonly Row[] = [
  { key: 'lastOwnerLeavesOn', icon: 'warn', tone: 'red', to: '/settings/people', scope: 'users:manage' },
  {
    key: 'failedGifts',
    icon: 'warn',
    tone: 'red',
    to: '/gifts',
    search: { state: 'ISSUED', delivery: 'FAILED' },
    scope: 'gifts:read',
  },
  { key: 'ledgerProblems', icon: 'shield', tone: 'red', to: '/settings/audit/proof', scope: 'budgets:read' },
  { key: 'failedOrders', icon: 'warn', tone: 'red', to: '/orders', search: { status: 'FAILED' }, scope: 'orders:read' },
  {
    key: 'notDoneOccurrences',
    icon: 'warn',
    tone: 'red',
    to: '/automations/happened',
    search: { only: 'NOT_DONE' },
    scope: 'automations:manage',
  },
  { key: 'exhaustedBudgets', icon: 'coin', tone: 'red', to: '/money', scope: 'budgets:read' },
  {
    key: 'expiringGifts',
    icon: 'clock',
    tone: 'amber',
    to: '/gifts',
    search: { state: 'ISSUED', expiresBefore: 'soon' },
    scope: 'gifts:read',
  },
  {
    key: 'giftsWithoutAddress',
    icon: 'at',
    tone: 'neutral',
    to: '/gifts',
    search: { state: 'ISSUED', delivery: 'NO_ADDRESS' },
    scope: 'gifts:read',
  },
  { key: 'lowBudgets', icon: 'coin', tone: 'amber', to: '/money', scope: 'budgets:read' },
  {
    key: 'openRequests',
    icon: 'gift',
    tone: 'brand',
    to: '/money/spent',
    search: { state: 'REQUESTED' },
    scope: 'gifts:manage',
  },
  { key: 'erasuresToConfirm', icon: 'person', tone: 'brand', to: '/people/erasures', scope: 'people:erase' },
  { key: 'lowStocks', icon: 'coin', tone: 'amber', to: '/money/pools', scope: 'settings:read' },
  { key: 'failingWebhooks', icon: 'plug', tone: 'amber', to: '/integrations', scope: 'webhooks:read' },
];

/** The open tasks for a user with these scopes. */
export function attentionRows(attention: OpenTasks, scopes: readonly string[]): Row[] {
  return rows.filter(({ key, scope }) => isOpen(attention[key]) && scopes.includes(scope));
}

function isOpen(value: OpenTasks[Row['key']]): boolean {
  return typeof value === 'number' ? value > 0 : value !== null;
}

interface AttentionProps {
  attention: OpenTasks;
  /** The first approvals that wait for the user. */
  approvals: ApprovalPage | undefined;
}

export function Attention({ attention, approvals }: AttentionProps) {
  const { home } = useWords();
  const formats = useFormats();
  const { workspace } = useHere();
  const shown = attentionRows(attention, workspace.scopes);
  const areWaiting = approvals !== undefined && approvals.totalElements > 0;
  if (shown.length === 0 && !areWaiting) return null;
  return (
    <ul className={`box ${styles.todo}`} aria-label={home.attention}>
      {areWaiting && <PendingApprovals page={approvals} />}
      {shown.map(({ key, icon, tone, to, search }) => {
        const [title, text, act] = texts(key, attention, home, formats);
        return (
          <li key={key}>
            <Dot icon={icon} tone={tone} />
            <div>
              <b>{title}</b>
              <div className="quiet">{text}</div>
            </div>
            <GoButton to={to} search={search as never} size="compact-md" className={styles.act}>
              {act}
            </GoButton>
          </li>
        );
      })}
    </ul>
  );
}

function texts(
  key: Row['key'],
  attention: OpenTasks,
  home: Words['home'],
  { number, money, moment, day, list }: Formats,
): [title: string, text: string, act: string] {
  const count = Number(attention[key]);
  const text = number(count);
  const sums = (amounts: readonly Amount[]) => list(amounts.map(({ amount, currency }) => money(amount, currency)));
  const { latestFailure, firstExpiry, expiringAmounts, lastOwnerLeavesOn } = attention;
  switch (key) {
    case 'lastOwnerLeavesOn':
      return [home.lastOwner(day(lastOwnerLeavesOn as string)), home.lastOwnerText, home.lastOwnerAct];
    case 'failedGifts': {
      const name = latestFailure ? `${latestFailure.firstName} ${latestFailure.lastName}`.trim() : '';
      return [
        home.failed(count, text),
        home.failedText(name, latestFailure ? moment(latestFailure.at) : ''),
        home.failedAct,
      ];
    }
    case 'expiringGifts':
      return [
        home.expiring(count, text, firstExpiry ? day(firstExpiry) : '', sums(expiringAmounts)),
        home.expiringText,
        home.expiringAct,
      ];
    case 'giftsWithoutAddress':
      return [home.noAddress(count, text), home.noAddressText, home.noAddressAct];
    case 'failedOrders':
      return [home.failedOrders(count, text), home.failedOrdersText, home.failedOrdersAct];
    case 'notDoneOccurrences':
      return [home.notDone(count, text), home.notDoneText, home.notDoneAct];
    case 'exhaustedBudgets':
      return [home.exhaustedBudgets(count, text), home.exhaustedBudgetsText, home.budgetsAct];
    case 'lowBudgets':
      return [home.lowBudgets(count, text), home.lowBudgetsText, home.budgetsAct];
    case 'openRequests':
      return [home.openRequests(count, text), home.openRequestsText, home.openRequestsAct];
    case 'erasuresToConfirm':
      return [home.erasuresToConfirm(count, text), home.erasuresToConfirmText, home.erasuresToConfirmAct];
    case 'ledgerProblems':
      return [home.ledgerProblems(count), home.ledgerProblemsText, home.ledgerProblemsAct];
    case 'lowStocks':
      return [home.lowStocks(count, text), home.lowStocksText, home.lowStocksAct];
    default:
      return [home.failingWebhooks(count, text), home.failingWebhooksText, home.failingWebhooksAct];
  }
}
