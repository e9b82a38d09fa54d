import type { Config } from '../../ground/config/config.ts';
import type { Database } from '../../ground/database/database.ts';
import type { Recurring } from '../../ground/jobs/worker.ts';
import { emailNewApprovers } from './approvals/watch.ts';
import { planDigests } from './digests/plan.ts';
import { hasMailServer } from './send/transport.ts';

const emailApproversEveryMs = 5_000;
const planDigestsEveryMs = 10_000;

/** What a worker process does every few seconds about emails that no request asks for. Nothing, where no email leaves the service. */
export function mailWork(database: Database, config: Config): Recurring[] {
  if (!hasMailServer(config)) return [];
  const approversSeen = new Map<number, string>();
  return [
    {
      name: 'The emails to people who have become approvers',
      everyMs: emailApproversEveryMs,
      run: () => emailNewApprovers(database, approversSeen),
    },
    {
      name: 'The search for digests whose hour has come',
      everyMs: planDigestsEveryMs,
      run: async (stopping) => void (await planDigests(database, stopping)),
    },
  ];
}
