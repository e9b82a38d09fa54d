import type { Logger } from 'pino';
import { backfills } from './backfills.ts';
import { removeEndedAttempts } from './company/access/attempts.ts';
import { noteHistories } from './company/access/note-histories.ts';
import { removeOldKeys } from './company/access/request-keys.ts';
import { removeEndedSessions } from './company/access/sessions.ts';
import { applyPlannedLeaving } from './company/directory/planned-leaving.ts';
import { removeCustomValues } from './company/directory/removed-fields.ts';
import { removeOldEvents } from './company/events/retention.ts';
import { removeOldAttempts } from './company/events/webhooks/attempts.ts';
import { closeForgottenImports } from './company/import/open-imports.ts';
import { removeExpiredUndos } from './company/undo/undo.ts';
import { readAuditHeads, takeInLate } from './company/workspaces/audit-chain.ts';
import { backfillEveryMs, runBackfills } from './company/workspaces/backfills.ts';
import { beginRetention, runRetention } from './company/workspaces/retention.ts';
import { readSealHeads } from './company/workspaces/seals.ts';
import { announceAllWaiting } from './giving/approvals/announce.ts';
import { declineOverdue } from './giving/approvals/expire.ts';
import { addEarlierOrders } from './giving/approvals/sender-months.ts';
import type { Engine } from './giving/automations/engine.ts';
import { runAutomations } from './giving/automations/run.ts';
import { beginDuePeriods } from './giving/budgets/allowances.ts';
import { mostHeads, readHeads } from './giving/budgets/heads.ts';
import { type BulkOptions, runBulkActions } from './giving/delivery/bulk/run.ts';
import { expireGifts } from './giving/delivery/expiry.ts';
import { mailWork } from './giving/delivery/work.ts';
import { settleLatePosts } from './giving/feed/late-posts.ts';
import type { Fulfilment } from './giving/orders/fulfilment.ts';
import { backUpNightly } from './ground/backup/nightly.ts';
import type { Config } from './ground/config/config.ts';
import type { Database } from './ground/database/database.ts';
import { readSchema } from './ground/database/schema.ts';
import { refreshStatistics } from './ground/database/statistics.ts';
import type { Recurring } from './ground/jobs/worker.ts';
import { planVerifications, runVerification } from './insight/books/runs.ts';
import { removeOldSnapshots } from './insight/reports/memory/snapshots.ts';
import { checkErasures } from './insight/rights/erase-again.ts';
import { erasureWork } from './insight/rights/work.ts';
import { retentions } from './retention.ts';
import { announceExpiredCodes } from './spending/code-pools/stock.ts';
import { removeOldIdentities } from './spending/redemptions/tax-retention.ts';
import type { Steps } from './steps.ts';

const wakeAllEveryMs = 5_000;
const checkSchemaEveryMs = 1_000;
const refreshEveryMs = 2_000;
const removeEveryMs = 60_000;
const closeImportsEveryMs = 60_000;
const beginRetentionEveryMs = 600_000;
const runRetentionEveryMs = 1_000;
/** With a pause after them, so that the disk and the standbys keep up. */
const retentionBatches = 5;
const expireEveryMs = 5_000;
const announceWaitingEveryMs = 500;
const settlePostsEveryMs = 5_000;
const runBulkActionsEveryMs = 500;
const grantAllowancesEveryMs = 10_000;
const runAutomationsEveryMs = 2_000;
const applyLeavingEveryMs = 60_000;
const removeCustomValuesEveryMs = 5_000;
const announceCodesEveryMs = 600_000;
const noteHistoriesEveryMs = 2_000;
const planVerificationsEveryMs = 60_000;
/** The pause between two pieces: requests and fulfilment come first. */
const verifyEveryMs = 1_000;
const noteHeadsEveryMs = 3_600_000;
const backUpEveryMs = 30_000;

interface WorkerParts {
  config: Config;
  database: Database;
  bulkActions: BulkOptions;
  automations: Engine;
  fulfilment: Fulfilment;
  steps: Steps;
  log: Logger;
  /** Called when a newer version has changed the schema. */
  stopWorking: () => void;
}

/** What a worker process does every few seconds. */
export function recurringWork({
  config,
  database,
  bulkActions,
  automations,
  fulfilment,
  steps,
  log,
  stopWorking,
}: WorkerParts): Recurring[] {
  /** Work that says in the log how much it has done, unless it is nothing. */
  const counted = (what: string, text: string, work: () => Promise<number>) => async () => {
    const count = await work();
    if (count > 0) log.info({ [what]: count }, text);
  };
  return [
    {
      name: 'The search for forgotten orders',
      everyMs: wakeAllEveryMs,
      // A notification can get lost, for instance with a killed worker. The orders cannot: pending_orders lists them.
      run: counted('workspaces', 'Found orders that were left waiting.', () => fulfilment.wakeAll()),
    },
    {
      name: 'The schema check',
      everyMs: checkSchemaEveryMs,
      async run() {
        const { unknown } = await readSchema(database);
        if (unknown.length === 0) return;
        log.error(
          { unknown },
          'A newer version has changed the database: this node stops fulfilling orders. Replace it.',
        );
        stopWorking();
      },
    },
    {
      name: 'Refresh of planner statistics',
      everyMs: refreshEveryMs,
      run: () => refreshStatistics(database),
    },
    {
      name: 'Shoutouts that wait for their gifts',
      everyMs: settlePostsEveryMs,
      run: () => settleLatePosts(database, steps.shoutouts),
    },
    {
      name: 'The removal of old events',
      everyMs: removeEveryMs,
      async run() {
        while ((await removeOldEvents(database, config.eventDays)) > 0);
        await removeOldAttempts(database);
      },
    },
    ...erasureWork(database, config.backupFolder),
    {
      name: 'The search for workspaces whose old records are removed',
      everyMs: beginRetentionEveryMs,
      run: () => beginRetention(database, retentions),
    },
    {
      name: 'The removal of old records',
      everyMs: runRetentionEveryMs,
      async run() {
        for (let batch = 0; batch < retentionBatches; batch++) if (!(await runRetention(database, retentions))) return;
      },
    },
    {
      name: 'The removal of ended sessions, attempts to sign in, old Idempotency-Keys, expired undos and snapshots that reports use no longer',
      everyMs: removeEveryMs,
      async run() {
        while ((await removeOldKeys(database)) > 0);
        while ((await removeExpiredUndos(database)) > 0);
        await removeEndedSessions(database);
        await removeEndedAttempts(database);
        await removeOldSnapshots(database);
        await removeOldIdentities(database);
      },
    },
    {
      name: 'The expiry of gifts',
      everyMs: expireEveryMs,
      run: counted('gifts', 'Gifts have expired.', () => expireGifts(database)),
    },
    {
      name: 'The announcement of orders that wait for approval',
      everyMs: announceWaitingEveryMs,
      run: async () => void (await announceAllWaiting(database, steps.decline)),
    },
    ...mailWork(database, config),
    {
      name: 'The totals of senders for new rules',
      everyMs: expireEveryMs,
      run: async () => void (await addEarlierOrders(database)),
    },
    {
      name: 'The decline of orders without a decision in time',
      everyMs: expireEveryMs,
      run: counted('orders', 'Orders were declined, because no decision came in time.', () =>
        declineOverdue(database, steps.decline),
      ),
    },
    {
      name: 'The bulk actions',
      everyMs: runBulkActionsEveryMs,
      run: counted('gifts', 'Gifts of bulk actions are done.', () => runBulkActions(bulkActions)),
    },
    {
      name: 'The grants of allowances',
      everyMs: grantAllowancesEveryMs,
      run: counted('allowances', 'Allowances were granted to budgets.', () => beginDuePeriods(database)),
    },
    {
      name: 'The work of automations',
      everyMs: runAutomationsEveryMs,
      run: async (stopping) => void (await runAutomations(automations, stopping)),
    },
    {
      name: 'The leaving of people after their last day',
      everyMs: applyLeavingEveryMs,
      run: counted('people', 'People were marked as left after their last day.', () => applyPlannedLeaving(database)),
    },
    {
      name: 'The removal of the values of removed custom fields',
      everyMs: removeCustomValuesEveryMs,
      run: counted('values', 'The values of removed custom fields were removed.', () => removeCustomValues(database)),
    },
    {
      name: 'The search for codes that have expired',
      everyMs: announceCodesEveryMs,
      run: async () => void (await announceExpiredCodes(database)),
    },
    {
      name: 'The note of new histories',
      everyMs: noteHistoriesEveryMs,
      async run() {
        const histories = await noteHistories(database);
        for (const { id, base, startedAt, reason } of histories)
          log.warn(
            { history: id, startedAt, reason },
            `The database is another one, or went back to an earlier state: ${reason}. A new history has started, and ids and numbers continue above ${base}.`,
          );
        if (histories.length === 0) return;
        const text = await checkErasures(database, config.backupFolder);
        if (text) log.warn(text);
      },
    },
    {
      name: 'The background work for the schema',
      everyMs: backfillEveryMs,
      run: runBackfills(database, backfills),
    },
    {
      name: 'The entries of the audit log that nodes of the release before have written',
      everyMs: expireEveryMs,
      run: counted('entries', 'Entries were added to the chain of the audit log.', () => takeInLate(database)),
    },
    {
      name: 'The plan of verifications',
      everyMs: planVerificationsEveryMs,
      run: () => planVerifications(database),
    },
    { name: 'The verification of the books', everyMs: verifyEveryMs, run: verifyBooks(database, log) },
    {
      name: 'The nightly backup',
      everyMs: backUpEveryMs,
      async run(stopping) {
        const done = await backUpNightly(database, config, stopping);
        if (done === null) return;
        if ('failure' in done)
          log.error({ err: done.failure }, 'The nightly backup failed. It is tried again in an hour.');
        else log.info({ file: done.file, bytes: done.bytes }, 'The nightly backup was written and checked.');
      },
    },
    { name: 'The note of the heads of the ledger', everyMs: noteHeadsEveryMs, run: noteHeads(database, log) },
    {
      name: 'The search for imports that were killed',
      everyMs: closeImportsEveryMs,
      run: counted('imports', 'Found imports that were killed on the way.', () => closeForgottenImports(database)),
    },
  ];
}

function verifyBooks(database: Database, log: Logger): () => Promise<void> {
  return async () => {
    const step = await runVerification(database);
    if (!step?.faults) return;
    const { workspaceId, kind, faults } = step;
    if (faults.length === 0) log.info({ workspaceId, kind }, 'The books were verified, and they agree.');
    else
      log.error(
        { workspaceId, kind, problems: faults.map(({ problem }) => problem) },
        'The verification of the books has found problems: docs/money.md says what to do.',
      );
  };
}

/** In the log, the heads are kept apart from the database: `giftwire ledger verify --head` compares them later. */
function noteHeads(database: Database, log: Logger): () => Promise<void> {
  let noted = '';
  return async () => {
    const heads = await readHeads(database, mostHeads);
    const [seals, audit] = [await readSealHeads(database, mostHeads), await readAuditHeads(database, mostHeads)];
    const text = JSON.stringify([heads, seals, audit]);
    if (text !== noted && heads.length + audit.length > 0)
      log.info({ heads, seals, audit }, 'Heads of the ledger and of the audit log.');
    noted = text;
  };
}
