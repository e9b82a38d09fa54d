/**
 * The groups of src/, from the bottom up: a module may import modules of its own group and of those that its group depends on.
 * The files at the root of src/ connect all modules and belong to no group.
 */
export const groups: Record<string, { modules: readonly string[]; dependsOn: readonly string[] }> = {
  ground: {
    modules: [
      'values',
      'sheets',
      'contract',
      'errors',
      'log',
      'metrics',
      'config',
      'traces',
      'database',
      'jobs',
      'backup',
    ],
    dependsOn: [],
  },
  company: {
    modules: ['workspaces', 'events', 'directory', 'access', 'import', 'scim'],
    dependsOn: ['ground'],
  },
  giving: {
    modules: ['budgets', 'recognition', 'gifts', 'orders', 'approvals', 'delivery'],
    dependsOn: ['ground', 'company'],
  },
  spending: { modules: ['code-pools', 'redemptions'], dependsOn: ['ground', 'company', 'giving'] },
  insight: { modules: ['reports', 'books'], dependsOn: ['ground', 'company', 'giving', 'spending'] },
  doors: { modules: ['http', 'cli', 'demo'], dependsOn: ['ground', 'company', 'giving', 'spending', 'insight'] },
};

/**
 * The modules of src/ and what each may import. test/project/structure.test.ts compares this with the code, and with the chart in
 * ARCHITECTURE.md.
 */
export const mayImport: Record<string, readonly string[]> = {
  main: ['cli', 'errors'],
  cli: [
    'access',
    'app',
    'backfills',
    'backup',
    'books',
    'budgets',
    'code-pools',
    'config',
    'console',
    'contract',
    'database',
    'delivery',
    'directory',
    'errors',
    'events',
    'gifts',
    'import',
    'log',
    'orders',
    'processes',
    'recognition',
    'redemptions',
    'reports',
    'retention',
    'sheets',
    'steps',
    'values',
    'workspaces',
  ],
  app: ['access', 'config', 'database', 'demo', 'gifts', 'processes', 'service', 'traces', 'workspaces'],
  service: [
    'access',
    'config',
    'console',
    'contract',
    'database',
    'delivery',
    'events',
    'gifts',
    'http',
    'jobs',
    'log',
    'metrics',
    'orders',
    'processes',
    'readings',
    'recognition',
    'recurring',
    'steps',
  ],
  recurring: [
    'access',
    'approvals',
    'backfills',
    'backup',
    'books',
    'budgets',
    'code-pools',
    'config',
    'database',
    'delivery',
    'directory',
    'events',
    'import',
    'jobs',
    'orders',
    'reports',
    'retention',
    'steps',
    'workspaces',
  ],
  readings: ['backup', 'books', 'database', 'delivery', 'events', 'metrics', 'orders', 'processes', 'workspaces'],
  backfills: ['workspaces'],
  retention: ['delivery', 'events', 'gifts', 'redemptions', 'workspaces'],
  steps: [
    'access',
    'approvals',
    'budgets',
    'contract',
    'delivery',
    'events',
    'metrics',
    'orders',
    'recognition',
    'traces',
  ],
  processes: ['config', 'errors', 'http', 'metrics'],
  http: [
    'access',
    'approvals',
    'books',
    'budgets',
    'code-pools',
    'contract',
    'database',
    'delivery',
    'directory',
    'errors',
    'events',
    'gifts',
    'import',
    'log',
    'metrics',
    'orders',
    'recognition',
    'redemptions',
    'reports',
    'scim',
    'sheets',
    'traces',
    'values',
    'workspaces',
  ],
  jobs: [],
  demo: [
    'access',
    'budgets',
    'code-pools',
    'contract',
    'database',
    'delivery',
    'directory',
    'events',
    'gifts',
    'orders',
    'recognition',
    'redemptions',
    'workspaces',
  ],
  redemptions: [
    'access',
    'code-pools',
    'contract',
    'database',
    'directory',
    'errors',
    'events',
    'gifts',
    'values',
    'workspaces',
  ],
  'code-pools': ['access', 'contract', 'database', 'errors', 'events', 'gifts', 'sheets', 'values', 'workspaces'],
  import: ['contract', 'database', 'directory', 'errors', 'events', 'sheets', 'values', 'workspaces'],
  orders: [
    'access',
    'budgets',
    'contract',
    'database',
    'directory',
    'errors',
    'gifts',
    'recognition',
    'traces',
    'values',
    'workspaces',
  ],
  approvals: [
    'access',
    'budgets',
    'contract',
    'database',
    'directory',
    'errors',
    'events',
    'orders',
    'recognition',
    'values',
    'workspaces',
  ],
  books: ['budgets', 'code-pools', 'contract', 'database', 'gifts', 'orders', 'redemptions', 'workspaces'],
  reports: [
    'access',
    'books',
    'budgets',
    'code-pools',
    'contract',
    'database',
    'delivery',
    'directory',
    'errors',
    'events',
    'gifts',
    'orders',
    'recognition',
    'redemptions',
    'values',
    'workspaces',
  ],
  recognition: ['access', 'contract', 'database', 'directory', 'errors', 'values', 'workspaces'],
  scim: ['contract', 'database', 'directory', 'errors', 'values', 'workspaces'],
  access: ['config', 'contract', 'database', 'directory', 'errors', 'values', 'workspaces'],
  delivery: [
    'access',
    'config',
    'contract',
    'database',
    'directory',
    'errors',
    'events',
    'gifts',
    'values',
    'workspaces',
  ],
  budgets: ['access', 'contract', 'database', 'directory', 'errors', 'events', 'values', 'workspaces'],
  gifts: ['budgets', 'contract', 'database', 'directory', 'errors', 'events', 'config', 'values', 'workspaces'],
  directory: ['contract', 'database', 'errors', 'events', 'sheets', 'values', 'workspaces'],
  events: ['contract', 'database', 'errors', 'traces', 'values', 'workspaces'],
  workspaces: ['contract', 'database', 'errors', 'values'],
  backup: ['config', 'database', 'errors'],
  database: ['values', 'config', 'errors', 'traces'],
  traces: ['config'],
  contract: ['values'],
  sheets: ['errors', 'values'],
  values: [],
  metrics: [],
  log: ['errors'],
  config: ['errors', 'values'],
  errors: [],
  console: [],
};

/** The modules that may import a library. Every dependency in package.json is listed, and the SDK of this repository. */
export const knownTo: Record<string, readonly string[]> = {
  '@fastify/fast-json-stringify-compiler': ['http'],
  '@fastify/swagger': ['http'],
  '@fastify/type-provider-typebox': ['http'],
  '@giftwire/sdk': ['cli'],
  '@opentelemetry/api': ['traces'],
  '@opentelemetry/core': ['traces'],
  '@opentelemetry/exporter-trace-otlp-proto': ['traces'],
  '@opentelemetry/resources': ['traces'],
  '@opentelemetry/sdk-trace': ['traces'],
  ajv: ['http'],
  // values/email.ts takes its pattern of an e-mail address from the format that http checks it with.
  'ajv-formats': ['http', 'values'],
  'cli-progress': ['cli'],
  commander: ['main', 'cli'],
  fastify: ['http'],
  ghtml: ['delivery', 'http'],
  'intl-messageformat': ['gifts'],
  'ipaddr.js': ['events', 'http', 'values'],
  marked: ['http'],
  negotiator: ['http'],
  nodemailer: ['delivery'],
  'openid-client': ['access'],
  pg: ['database'],
  // log makes the logger; the others take one as an argument and know its type.
  pino: ['app', 'cli', 'http', 'jobs', 'log', 'processes', 'recurring', 'service', 'steps'],
  'pino-pretty': ['log'],
  'prom-client': ['metrics'],
  'rate-limiter-flexible': ['http', 'processes'],
  'scim-patch': ['scim'],
  'scim2-parse-filter': ['scim'],
  scimmy: ['scim'],
  // The delivery of webhooks; http passes the client on.
  undici: ['events', 'http'],
  typebox: ['contract', 'http'],
  uqr: ['delivery'],
};

/** The module that alone writes a table, for every table that migrations create. */
export const writerOf: Record<string, string> = {
  accounts: 'workspaces',
  activities: 'recognition',
  activity_counters: 'workspaces',
  activity_days: 'recognition',
  activity_gaps: 'recognition',
  api_token_workspaces: 'access',
  api_tokens: 'access',
  audit_log: 'workspaces',
  background_migrations: 'workspaces',
  backups: 'backup',
  budget_shares: 'budgets',
  budgets: 'budgets',
  bulk_action_gifts: 'delivery',
  bulk_actions: 'delivery',
  certificates: 'gifts',
  claim_codes: 'gifts',
  code_pools: 'code-pools',
  event_counters: 'events',
  deputies: 'approvals',
  events: 'events',
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
  member_emails: 'directory',
  member_texts: 'directory',
  members: 'directory',
  migration_checksums: 'database',
  open_imports: 'import',
  newer_pending_orders: 'orders',
  order_approvals: 'approvals',
  order_budgets: 'budgets',
  order_decisions: 'approvals',
  order_parties: 'approvals',
  order_requests: 'orders',
  orders: 'orders',
  payroll_exports: 'redemptions',
  payroll_lines: 'redemptions',
  pending_orders: 'orders',
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
  sessions: 'access',
  shoutouts: 'recognition',
  request_keys: 'access',
  sign_in_attempts: 'access',
  sign_in_links: 'access',
  team_members: 'directory',
  teams: 'directory',
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
  // A gift shows its reason.
  gifts: ['recognition'],
  // Payroll and tax files have the reason and the order of each gift.
  redemptions: ['orders', 'recognition'],
  // An import under way changes people without events.
  reports: ['import'],
};

/** Reads of tables of modules above, by file, and why. No more than these six. */
export const mayReadUp: Record<string, readonly string[]> = {
  // A gift has the sender, the language and the currency of its order.
  'src/giving/gifts/gift.ts': ['order_requests', 'orders'],
  // The text of a gift's activity is the message of the gift.
  'src/giving/recognition/activity.ts': ['certificates'],
  // The email about a decision says what was asked for.
  'src/giving/delivery/decision.ts': ['redemptions'],
  // A workspace keeps an owner, and a role ends when its person leaves.
  'src/company/directory/owners.ts': ['user_roles'],
  // A grant says whether orders may draw on a budget: acceptance must not look it up for each order.
  'src/company/access/grant-rows.ts': ['budgets'],
};

/** Modules by floor, the top one first: a module stands below every module that may import or read it. Throws where arrows form a circle. */
export function floors(): string[][] {
  const height = (module: string, above: readonly string[] = []): number => {
    if (above.includes(module))
      throw new Error(`modules import each other in a circle: ${[...above, module].join(' → ')}`);
    const all = [...(mayImport[module] ?? []), ...(mayRead[module] ?? [])];
    return 1 + Math.max(-1, ...all.map((below) => height(below, [...above, module])));
  };
  const byHeight = Map.groupBy(Object.keys(mayImport), (module) => height(module));
  return [...byHeight].sort(([a], [b]) => b - a).map(([, modules]) => modules.sort());
}

/** The chart in ARCHITECTURE.md. */
export function chart(): string {
  const arrows = Object.entries(groups).map(
    ([group, { modules, dependsOn }]) =>
      `${group.padEnd(8)}  ${modules.join(', ')} → ${dependsOn.join(', ') || 'nothing'}`,
  );
  return ['```', ...arrows.reverse(), '```'].join('\n');
}
