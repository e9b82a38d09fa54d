export const retention = {
  text: 'How long records are kept. Older ones are removed every day in the background. Orders, amounts and totals always stay.',
  record: 'Records',
  keep: 'Keep for',
  keepOf: (record: string) => `Days to keep: ${record}`,
  always: 'Always',
  suffix: ' days',
  usual: (days: number | null) => (days === null ? 'Default: always' : `Default: ${days} days`),
  least: (days: number) => `at least ${days} days`,
  most: (days: number) => `at most ${days} days`,
  next: 'Next run removes',
  useUsual: 'Use default',
  saved: 'Retention saved.',
  sure: 'Save and remove older records?',
  sureText: 'Records older than the days you have set are removed and do not come back.',
  sureAction: 'Save retention',
  kinds: {
    'gift-texts': {
      name: 'Texts of gifts',
      why: 'Messages and thank-you notes of gifts that are spent, cancelled or expired. People read again why they were thanked.',
    },
    'shoutout-texts': {
      name: 'Texts of shoutouts',
      why: 'With comments and notes. People read again why they were thanked.',
    },
    emails: {
      name: 'Emails about gifts',
      why: 'Email addresses and responses of mail servers. They show whether an email arrived.',
    },
    'approval-emails': { name: 'Emails about approvals', why: 'Email addresses. They show who was asked.' },
    'manager-emails': {
      name: 'Emails to managers',
      why: 'Email addresses. They show who was told about an automation.',
    },
    'digest-emails': {
      name: 'Weekly and monthly emails',
      why: 'Email addresses. They show what was sent, and no week is sent twice.',
    },
    'gift-log': { name: 'Gift logs', why: 'What happened to gifts that are spent, cancelled or expired.' },
    'audit-log': { name: 'Audit log', why: 'It proves who did what. Entries about payroll exports always stay.' },
    'sign-ins': { name: 'Sign-ins', why: 'Sessions that have ended. People see where they were signed in.' },
    leavers: {
      name: 'People who have left',
      why: 'Their data is anonymized this many days after they left, as an erasure does. Off by default.',
    },
    'webhook-attempts': {
      name: 'Webhook attempts',
      why: 'Failed attempts. They show why an endpoint has missed events.',
    },
    'order-parties': {
      name: 'People who could not decide',
      why: 'Addresses and numbers in completed orders that a rule held.',
    },
    'sender-months': {
      name: 'Monthly totals of senders',
      why: 'Rules measure what a sender has sent in the current month.',
    },
    'sender-month-orders': { name: 'Orders in these totals', why: 'What each order has added to them.' },
  },
};
