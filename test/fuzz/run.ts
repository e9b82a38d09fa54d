import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { cleanUpNow } from '../support/cleanup.ts';
import { closeAdministration } from '../support/database.ts';
import { readDocument } from '../support/openapi.ts';
import { globalSetup, globalTeardown } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { type FuzzResult, fuzz } from './fuzz.ts';

interface Options {
  requests: number;
  seed?: number;
  only?: string;
  patience: number;
  statuses?: true;
}

const options = new Command('npm run test:fuzz --')
  .description('Sends random requests to every operation of openapi.json and compares the responses with it.')
  .option('--requests <n>', 'how many requests to send', wholeNumber, 50_000)
  .option('--seed <n>', 'draws the same requests again (default: any)', wholeNumber)
  .option('--only <operationId>', 'one operation alone')
  .option('--patience <n>', 'repeats a 503 this many times before it is a problem, on a busy machine', wholeNumber, 0)
  .option('--statuses', 'prints how many responses had each status, by operation')
  .parse()
  .opts<Options>();

process.exitCode = await run(options);

async function run({ requests, seed = randomInt(1e9), only, patience, statuses }: Options): Promise<number> {
  console.log(`${requests} requests, --seed ${seed}`);
  await globalSetup();
  try {
    const service = await startService({ demo: true, mailServer: 'outbox' });
    const result = await fuzz(service, {
      document: await readDocument(),
      workspace: 1,
      requests,
      seed,
      patience,
      ...(only !== undefined && { only }),
      onRound: (sent) => {
        if (sent % 5_000 === 0) console.log(`${sent} sent`);
      },
    });
    if (statuses) printStatuses(result);
    return report(result, requests, printFailures(service));
  } finally {
    await cleanUpNow().finally(closeAdministration).finally(globalTeardown);
  }
}

function report({ problems, statuses }: FuzzResult, requests: number, errors: number): number {
  for (const { operationId, request, problem } of problems) console.log(`${operationId}: ${problem}\n  ${request}`);
  const succeeded = [...statuses].filter(([, counts]) => [...counts.keys()].some((status) => status < 300));
  console.log(
    `${requests} requests to ${statuses.size} operations, of which ${succeeded.length} succeeded at least once: ${problems.length} problems, ${errors} errors of the database in the log`,
  );
  return problems.length + errors === 0 ? 0 : 1;
}

/** Prints what the service itself logged about failures, with their causes, and returns how many are errors of the database. */
function printFailures(service: TestService): number {
  const failures = service.logLines().filter(({ level }) => Number(level) >= 40);
  for (const line of failures) console.log(`log: ${JSON.stringify(line).slice(0, 2_000)}`);
  return failures.filter(({ err }) => (err as { type?: string } | undefined)?.type === 'DatabaseError').length;
}

function printStatuses({ statuses }: FuzzResult): void {
  for (const [operationId, counts] of statuses) {
    const sorted = [...counts].sort(([one], [other]) => one - other);
    console.log(`${operationId}: ${sorted.map(([status, count]) => `${status} × ${count}`).join(', ')}`);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
