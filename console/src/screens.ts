import type { MyWorkspace } from '@giftwire/sdk';
import type { ComponentType } from 'react';
import type { IconName } from './parts/icon.tsx';
import type { Words } from './words/words.tsx';

export type ScreenGroup = 'money' | 'integrations' | 'settings';

export interface Screen {
  /** Below the workspace's address. `$id` is a parameter: `useParams({ strict: false })`. */
  path: string;
  name: keyof Words['screens'];
  icon: IconName;
  /** The scope that a user needs to see the screen. */
  scope: string | null;
  /** Covers the whole workspace, so managers, who see only their own reports, do not have it. */
  isAboutEverybody?: true;
  /** In the main navigation or at its foot; absent: reached from other screens and, without a parameter, from the palette. */
  place?: 'main' | 'foot';
  /** Screens of a group are tabs. The navigation has an entry of that name. */
  group?: ScreenGroup;
  load: () => Promise<{ default: ComponentType }>;
}

/** Every screen of the console. A new one is a folder in screens/ and a line here. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    name: 'home',
    icon: 'home',
    scope: 'reports:read',
    place: 'main',
    load: () => import('./screens/home/home.tsx'),
  },
  {
    path: '/send',
    name: 'send',
    icon: 'plane',
    scope: 'orders:write',
    place: 'main',
    load: () => import('./screens/send/send.tsx'),
  },
  {
    path: '/send-many',
    name: 'bulk',
    icon: 'rows',
    scope: 'orders:write',
    place: 'main',
    load: () => import('./screens/bulk/bulk.tsx'),
  },
  {
    path: '/gifts',
    name: 'gifts',
    icon: 'gift',
    scope: 'gifts:read',
    place: 'main',
    load: () => import('./screens/gifts/gifts.tsx'),
  },
  {
    path: '/gifts/$id',
    name: 'gift',
    icon: 'gift',
    scope: 'gifts:read',
    load: () => import('./screens/gifts/gift.tsx'),
  },
  {
    path: '/orders',
    name: 'orders',
    icon: 'rows',
    scope: 'orders:read',
    isAboutEverybody: true,
    load: () => import('./screens/orders/orders.tsx'),
  },
  {
    path: '/orders/$requestId',
    name: 'order',
    icon: 'rows',
    scope: 'orders:read',
    isAboutEverybody: true,
    load: () => import('./screens/orders/order.tsx'),
  },
  {
    path: '/approvals',
    name: 'approvals',
    icon: 'approve',
    scope: 'approvals:read',
    place: 'main',
    load: () => import('./screens/approvals/approvals.tsx'),
  },
  {
    path: '/approvals/$requestId',
    name: 'approval',
    icon: 'approve',
    scope: 'approvals:read',
    load: () => import('./screens/approvals/approval.tsx'),
  },
  {
    path: '/people',
    name: 'people',
    icon: 'people',
    scope: 'directory:read',
    place: 'main',
    load: () => import('./screens/people/people.tsx'),
  },
  {
    path: '/people/import',
    name: 'peopleImport',
    icon: 'upload',
    scope: 'directory:write',
    load: () => import('./screens/people/people-import.tsx'),
  },
  {
    path: '/people/undo',
    name: 'undo',
    icon: 'repeat',
    scope: 'directory:write',
    load: () => import('./screens/undo/undo.tsx'),
  },
  {
    path: '/people/erasures',
    name: 'erasures',
    icon: 'lock',
    scope: 'people:erase',
    load: () => import('./screens/erasure/erasures.tsx'),
  },
  {
    path: '/people/$id/erase',
    name: 'erase',
    icon: 'lock',
    scope: 'people:erase',
    load: () => import('./screens/erasure/erase.tsx'),
  },
  {
    path: '/people/$id',
    name: 'person',
    icon: 'person',
    scope: 'directory:read',
    load: () => import('./screens/people/person.tsx'),
  },
  {
    path: '/recognition',
    name: 'recognition',
    icon: 'heart',
    scope: 'recognition:read',
    place: 'main',
    load: () => import('./screens/recognition/recognition.tsx'),
  },
  {
    path: '/automations',
    name: 'automations',
    icon: 'auto',
    scope: 'automations:read',
    place: 'main',
    load: () => import('./screens/automations/automations.tsx'),
  },
  {
    path: '/automations/happened',
    name: 'happened',
    icon: 'auto',
    scope: 'automations:read',
    load: () => import('./screens/automations/happened.tsx'),
  },
  {
    path: '/automations/$id',
    name: 'automation',
    icon: 'auto',
    scope: 'automations:read',
    load: () => import('./screens/automations/automation.tsx'),
  },
  {
    path: '/reports',
    name: 'reports',
    icon: 'chart',
    scope: 'reports:read',
    place: 'main',
    load: () => import('./screens/reports/reports.tsx'),
  },
  {
    path: '/money',
    name: 'budgets',
    icon: 'coin',
    scope: 'budgets:read',
    group: 'money',
    load: () => import('./screens/money/budgets.tsx'),
  },
  {
    path: '/money/budgets/$id',
    name: 'budget',
    icon: 'coin',
    scope: 'budgets:read',
    load: () => import('./screens/money/budget.tsx'),
  },
  {
    path: '/money/rules',
    name: 'rules',
    icon: 'filter',
    scope: 'rules:read',
    group: 'money',
    load: () => import('./screens/rules/rules.tsx'),
  },
  {
    path: '/money/spent',
    name: 'spent',
    icon: 'repeat',
    scope: 'gifts:read',
    isAboutEverybody: true,
    group: 'money',
    load: () => import('./screens/spent/spent.tsx'),
  },
  {
    path: '/money/payroll',
    name: 'payroll',
    icon: 'rows',
    scope: 'budgets:read',
    group: 'money',
    load: () => import('./screens/payroll/payroll.tsx'),
  },
  {
    path: '/money/tax-log',
    name: 'taxLog',
    icon: 'book',
    scope: 'reports:read',
    isAboutEverybody: true,
    group: 'money',
    load: () => import('./screens/tax-log/tax-log.tsx'),
  },
  {
    path: '/money/spending-options',
    name: 'spendingOptions',
    icon: 'gift',
    scope: 'settings:read',
    group: 'money',
    load: () => import('./screens/spending-options/spending-options.tsx'),
  },
  {
    path: '/money/pools',
    name: 'pools',
    icon: 'key',
    scope: 'settings:read',
    group: 'money',
    load: () => import('./screens/pools/pools.tsx'),
  },
  {
    path: '/integrations',
    name: 'webhooks',
    icon: 'plug',
    scope: 'webhooks:read',
    group: 'integrations',
    load: () => import('./screens/webhooks/webhooks.tsx'),
  },
  {
    path: '/integrations/webhooks/$id',
    name: 'webhook',
    icon: 'plug',
    scope: 'webhooks:read',
    load: () => import('./screens/webhooks/webhook.tsx'),
  },
  {
    path: '/integrations/tokens',
    name: 'tokens',
    icon: 'key',
    scope: 'audit:read',
    group: 'integrations',
    load: () => import('./screens/tokens/tokens.tsx'),
  },
  {
    path: '/integrations/directory',
    name: 'scim',
    icon: 'people',
    scope: 'settings:read',
    group: 'integrations',
    load: () => import('./screens/scim/scim.tsx'),
  },
  {
    path: '/integrations/mail',
    name: 'mail',
    icon: 'mail',
    scope: 'settings:read',
    group: 'integrations',
    load: () => import('./screens/mail/mail.tsx'),
  },
  {
    path: '/integrations/mail/$id',
    name: 'sentMail',
    icon: 'mail',
    scope: 'gifts:manage',
    load: () => import('./screens/mail/sent-mail.tsx'),
  },
  {
    path: '/settings',
    name: 'branding',
    icon: 'palette',
    scope: 'settings:read',
    group: 'settings',
    load: () => import('./screens/branding/branding.tsx'),
  },
  {
    path: '/settings/policies',
    name: 'policies',
    icon: 'gear',
    scope: 'settings:read',
    group: 'settings',
    load: () => import('./screens/policies/policies.tsx'),
  },
  {
    path: '/settings/employees',
    name: 'employees',
    icon: 'people',
    scope: 'settings:read',
    group: 'settings',
    load: () => import('./screens/employees/employees.tsx'),
  },
  {
    path: '/settings/fields',
    name: 'customFields',
    icon: 'rows',
    scope: 'settings:read',
    group: 'settings',
    load: () => import('./screens/custom-fields/custom-fields.tsx'),
  },
  {
    path: '/settings/retention',
    name: 'retention',
    icon: 'clock',
    scope: 'settings:read',
    group: 'settings',
    load: () => import('./screens/retention/retention.tsx'),
  },
  {
    path: '/settings/people',
    name: 'users',
    icon: 'shield',
    scope: 'audit:read',
    group: 'settings',
    load: () => import('./screens/users/users.tsx'),
  },
  {
    path: '/settings/audit',
    name: 'audit',
    icon: 'book',
    scope: 'audit:read',
    group: 'settings',
    load: () => import('./screens/audit/audit.tsx'),
  },
  {
    path: '/settings/audit/proof',
    name: 'proof',
    icon: 'shield',
    scope: 'budgets:read',
    load: () => import('./screens/proof/proof.tsx'),
  },
  {
    path: '/account',
    name: 'account',
    icon: 'person',
    scope: null,
    load: () => import('./screens/account/account.tsx'),
  },
];

/** Whether a user with these permissions has the screen. */
export function isOpenTo({ scopes, seesReportsOnly }: MyWorkspace): (screen: Screen) => boolean {
  return ({ scope, isAboutEverybody = false }) =>
    (scope === null || scopes.includes(scope)) && !(isAboutEverybody && seesReportsOnly);
}
