/** What a workspace can set a number of days for. A kind is never used for other rows: settings name it. */
export const retentionKinds = [
  'gift-texts',
  'shoutout-texts',
  'emails',
  'approval-emails',
  'manager-emails',
  'digest-emails',
  'gift-log',
  'audit-log',
  'sign-ins',
  'leavers',
  'webhook-attempts',
  'order-parties',
  'sender-months',
  'sender-month-orders',
] as const;

export type RetentionKind = (typeof retentionKinds)[number];
