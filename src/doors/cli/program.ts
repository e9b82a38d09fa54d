import { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { addExamples, helpStyle } from './help.ts';

/** The commands, by the word that calls them. */
const groups: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./serve.ts')).addServeCommand,
  send: async () => (await import('./send.ts')).addSendCommand,
  workspace: async () => (await import('./workspace.ts')).addWorkspaceCommands,
  token: async () => (await import('./token.ts')).addTokenCommands,
  admin: async () => (await import('./admin.ts')).addAdminCommands,
  members: async () => (await import('./members.ts')).addMemberCommands,
  employees: async () => (await import('./employees.ts')).addEmployeeCommands,
  reason: async () => (await import('./reason.ts')).addReasonCommands,
  undo: async () => (await import('./undo.ts')).addUndoCommand,
  order: async () => (await import('./order.ts')).addOrderCommands,
  gift: async () => (await import('./gift.ts')).addGiftCommands,
  automation: async () => (await import('./automation.ts')).addAutomationCommands,
  rule: async () => (await import('./rule.ts')).addRuleCommands,
  approval: async () => (await import('./approval.ts')).addApprovalCommands,
  budget: async () => (await import('./budget.ts')).addBudgetCommands,
  audit: async () => (await import('./audit.ts')).addAuditCommands,
  ledger: async () => (await import('./ledger.ts')).addLedgerCommands,
  payroll: async () => (await import('./payroll.ts')).addPayrollCommands,
  'spending-option': async () => (await import('./spending-option.ts')).addSpendingOptionCommands,
  pool: async () => (await import('./pool.ts')).addPoolCommands,
  outbox: async () => (await import('./outbox.ts')).addOutboxCommands,
  clock: async () => (await import('./clock.ts')).addClockCommands,
  listen: async () => (await import('./listen.ts')).addListenCommand,
  webhook: async () => (await import('./webhook.ts')).addWebhookCommands,
  doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
  retention: async () => (await import('./retention.ts')).addRetentionCommands,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
  database: async () => (await import('./database.ts')).addDatabaseCommands,
  backup: async () => (await import('./backup.ts')).addBackupCommands,
  restore: async () => (await import('./restore.ts')).addRestoreCommand,
  erasures: async () => (await import('./erasures.ts')).addErasureCommands,
  restored: async () => (await import('./restored.ts')).addRestoredCommand,
  env: async () => (await import('./env.ts')).addEnvCommand,
};

/**
 * The command line with all its commands, or with the one that is called: loading all of them takes longer than most
 * commands take. The version needs none of them. Errors are thrown; commander does not end the process.
 */
export async function createProgram(called = ''): Promise<Command> {
  const program = new Command('giftwire')
    .description('A self-hosted gift order service.')
    .version(packageJson.version)
    .showHelpAfterError('(add --help to see arguments, options and examples)')
    .configureHelp(helpStyle)
    .exitOverride();
  for (const add of await Promise.all(needed(called).map((load) => load()))) add(program);
  addExamples(program);
  return program;
}

function needed(called: string) {
  if (called === '--version' || called === '-V') return [];
  const group = Object.hasOwn(groups, called) ? groups[called] : undefined;
  return group ? [group] : Object.values(groups);
}
