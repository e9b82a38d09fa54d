/** The module that alone writes a table, for every table that migrations create. */
export const writerOf: Record<string, string> = {
  accounts: 'workspaces',
  activities: 'recognition',
  activity_counters: 'workspaces',
  activity_days: 'recognition',
  activity_gaps: 'recognition',
  api_token_workspaces: 'access',
  api_tokens: 'access',
  approval_mails: 'delivery',
  audit_chains: 'workspaces',
  audit_log: 'workspaces',
  automation_batches: 'automations',
  automation_looks: 'automations',
  automation_turns: 'automations',
  automations: 'automations',
  background_migrations: 'workspaces',
  backups: 'backup',
  budget_shares: 'budgets',
  budgets: 'budgets',
  bulk_action_gifts: 'delivery',
  bulk_actions: 'delivery',
  certificates: 'gifts',
  claim_codes: 'gifts',
  code_pools: 'code-pools',
  custom_fields: 'directory',
  event_counters: 'events',
  deputies: 'approvals',
  digest_mails: 'delivery',
  digest_turns: 'delivery',
  erased_marks: 'directory',
  erasure_checks: 'rights',
  erasure_runs: 'rights',
  erasures: 'rights',
  events: 'events',
  feed_cases: 'feed',
  feed_comments: 'feed',
  feed_posts: 'feed',
  feed_reactions: 'feed',
  feed_reports: 'feed',
  feed_screens: 'feed',
  feed_thanks: 'feed',
  former_addresses: 'directory',
  gift_log: 'gifts',
  gift_token_keys: 'gifts',
  held_orders: 'orders',
  histories: 'database',
  installation: 'database',
  ledger_entries: 'budgets',
  ledger_checkpoints: 'books',
  mail_pace: 'delivery',
  mail_queues: 'delivery',
  mails: 'delivery',
  manager_mails: 'delivery',
  member_emails: 'directory',
  member_texts: 'directory',
  kept_out_members: 'directory',
  legal_holds: 'directory',
  members: 'directory',
  migration_checksums: 'database',
  occurrences: 'automations',
  open_imports: 'import',
  newer_pending_orders: 'orders',
  approval_requests: 'approvals',
  order_approvals: 'approvals',
  order_budgets: 'budgets',
  order_decisions: 'approvals',
  order_parties: 'approvals',
  order_requests: 'orders',
  orders: 'orders',
  payroll_exports: 'redemptions',
  payroll_lines: 'redemptions',
  pending_orders: 'orders',
  post_gifts: 'recognition',
  pool_codes: 'code-pools',
  pool_stocks: 'code-pools',
  reasons: 'recognition',
  recognition_days: 'directory',
  redemptions: 'redemptions',
  report_snapshot_parts: 'reports',
  report_snapshots: 'reports',
  retention_runs: 'workspaces',
  rules: 'approvals',
  seals: 'workspaces',
  sender_month_counts: 'approvals',
  sender_month_orders: 'approvals',
  sender_months: 'approvals',
  sessions: 'access',
  session_members: 'access',
  employee_links: 'access',
  kiosk_codes: 'access',
  member_preferences: 'directory',
  shoutouts: 'recognition',
  request_keys: 'access',
  sign_in_attempts: 'access',
  sign_in_links: 'access',
  team_members: 'directory',
  tax_identities: 'redemptions',
  teams: 'directory',
  undo_members: 'directory',
  undos: 'undo',
  user_roles: 'access',
  users: 'access',
  spending_options: 'redemptions',
  verifications: 'books',
  webhook_attempts: 'events',
  webhook_retries: 'events',
  webhooks: 'events',
  workspaces: 'workspaces',
};

/** Statements of other modules that may write a table: the file, how the statement begins, and why. */
export const mayAlsoWrite: Record<string, readonly string[]> = {
  // A new workspace has a default team and a default reason, and workspaces/ stands below their modules.
  'src/company/workspaces/workspaces.ts': ['insert into teams', 'insert into reasons'],
  // The row that every writer of a workspace locks also numbers and counts its activities.
  'src/giving/recognition/record.ts': ['update activity_counters c set'],
  'src/giving/recognition/gaps.ts': ['update activity_counters set declined'],
  // When a member is merged or split, their tokens and their sessions act as the other record; access/ stands above directory/.
  'src/company/directory/tokens.ts': ['update api_token_workspaces', 'update user_roles'],
  // Which reason is the default is a column of the workspace, and only reasons are known to be offered or retired.
  'src/giving/recognition/reasons.ts': ['update workspaces set default_reason_id'],
};

/**
 * Modules whose tables a module reads although it calls none of their functions. A module also reads the tables of the modules that it
 * may import. All of these reads point down: floors() puts a module above those that it reads.
 */
export const mayRead: Record<string, readonly string[]> = {
  // The mail of a gift says when its order is to be delivered.
  delivery: ['orders'],
  // Verification compares orders that a rule held with the decisions about them.
  books: ['approvals'],
  // A post says which of its gifts is the reader's.
  feed: ['gifts'],
  // A gift shows its reason.
  gifts: ['recognition'],
  // Payroll and tax files have the reason and the order of each gift.
  redemptions: ['orders', 'recognition'],
  // An import under way changes people without events. Gifts show who sent their order, and when.
  reports: ['import', 'orders'],
};

/** Reads of tables of modules above, by file, and why. No more than these six. */
export const mayReadUp: Record<string, readonly string[]> = {
  // A gift has the sender, the language and the currency of its order.
  'src/giving/gifts/gift.ts': ['order_requests', 'orders'],
  // The text of a gift's activity is the message of the gift.
  'src/giving/recognition/activity.ts': ['certificates'],
  // The email about a decision says what was asked for.
  'src/giving/delivery/compose/decision.ts': ['redemptions'],
  // A workspace keeps an owner, and a role ends when its person leaves.
  'src/company/directory/owners.ts': ['user_roles'],
  // A grant says whether orders may draw on a budget: acceptance must not look it up for each order.
  'src/company/access/workspace-json.ts': ['budgets'],
};
