/** The functions that send statements about several workspaces, by file. '' is a function without a name. */
type Senders = Record<string, readonly string[]>;

/** Who enters which workspace is asked before it is known which one it is. */
const entries: Senders = {
  'src/company/access/emailed-links.ts': [''],
  'src/company/access/employee-sessions.ts': ['auditSignedOut'],
  'src/company/access/erase-accounts.ts': ['eraseAccounts'],
  'src/company/access/grant-rows.ts': ['readSessionGrants', 'readTokenGrants', 'readUserGrant'],
  'src/company/access/linking.ts': ['lockToLink'],
  'src/company/access/memberships.ts': ['findByProvider', 'findEmployees'],
  'src/company/access/personal-tokens.ts': ['checkPersonalToken'],
  'src/giving/gifts/gift.ts': ['findByHashes'],
};

/** Which workspaces have work: to be asked in one place. */
const searches: Senders = {
  'src/company/access/note-histories.ts': [''],
  'src/company/directory/planned-leaving.ts': ['readDueWorkspaces'],
  'src/company/directory/removed-fields.ts': ['readRemoved'],
  'src/company/events/retention.ts': ['removeOldEvents'],
  'src/company/events/webhooks/attempts.ts': ['removeOldAttempts'],
  'src/company/events/webhooks/claim.ts': ['claimWebhooks'],
  'src/company/import/open-imports.ts': ['closeForgottenImports'],
  'src/company/workspaces/audit-chain.ts': ['takeInLate'],
  'src/company/workspaces/each.ts': ['removePieces'],
  'src/company/workspaces/retention.ts': ['beginRetention', 'claim'],
  'src/giving/approvals/announce.ts': ['announceAllWaiting'],
  'src/giving/approvals/expire.ts': ['declineOverdue'],
  'src/giving/approvals/sender-months.ts': ['addEarlierOrders'],
  'src/giving/automations/run.ts': ['runAutomations'],
  'src/giving/budgets/allowances.ts': ['beginDuePeriods'],
  'src/giving/delivery/approvals/watch.ts': ['emailNewApprovers'],
  'src/giving/delivery/bulk/run.ts': ['runBulkActions'],
  'src/giving/delivery/digests/plan.ts': ['planDigests'],
  'src/giving/delivery/expiry.ts': ['expireGifts'],
  'src/giving/delivery/send/claim.ts': ['claimQueues'],
  'src/giving/feed/late-posts.ts': ['settleLatePosts'],
  'src/giving/orders/pending.ts': ['readWaitingWorkspaces'],
  'src/insight/books/runs.ts': ['planVerifications', 'runVerification'],
  'src/insight/reports/memory/snapshots.ts': ['listRead', 'removeOldSnapshots'],
  'src/insight/rights/erase-again.ts': ['findUnchecked'],
  'src/insight/rights/run.ts': ['', 'gather'],
  'src/spending/code-pools/stock.ts': ['announceExpiredCodes'],
  'src/spending/redemptions/tax-retention.ts': ['removeOldIdentities'],
};

/** What an operator reads of the whole installation: metrics, and commands without a workspace. */
const overviews: Senders = {
  'src/company/events/webhooks/lag.ts': ['readWebhookLag'],
  'src/company/workspaces/retention.ts': ['countRemoved'],
  'src/giving/delivery/backlog.ts': ['readMailBacklog'],
  'src/giving/delivery/outbox.ts': ['findInOutbox', 'readLatest', 'readPlace'],
  'src/giving/orders/list.ts': ['listOrders', 'readWindow', 'startOfAll'],
  'src/giving/orders/overview.ts': ['readOrderOverview'],
  'src/giving/orders/pending.ts': ['readBacklog'],
  'src/insight/books/outcomes.ts': [
    'countProblems',
    'readRequested',
    'readVerificationStates',
    'summarizeVerifications',
  ],
  'src/insight/books/pieces.ts': [''],
  'src/insight/books/readable.ts': [''],
  'src/insight/books/verify-orders.ts': ['concludeOrders', 'readSums'],
  'src/insight/rights/erased-list.ts': ['keepErasedList', 'readErasedList'],
};

/** What is asked about several workspaces at the same time: one statement costs less than one for each. */
const batches: Senders = {
  'src/company/events/read.ts': ['readLatest'],
  'src/giving/orders/latest-currency.ts': ['latestCurrencies'],
  'src/giving/orders/originals.ts': ['readOriginals'],
  'src/giving/orders/read.ts': ['readRecords', 'readStatuses'],
  'src/giving/orders/store.ts': ['storeTogether'],
};

/** The statements that need not name one workspace (statements.ts). */
export const aboutSeveral: readonly Senders[] = [entries, searches, overviews, batches];
