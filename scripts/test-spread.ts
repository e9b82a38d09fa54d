import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// Runs test files on a Citus cluster: npm run test:spread -- <url of a database of its coordinator that knows the workers> [files].
// docs/testing.md says what they need.

/** What is tested there. docs/operate.md says what works on a cluster, and what does not yet. */
const files = ['orders/create', 'orders/idempotency', 'delivery/sending', 'gift-page/page', 'redemptions/redeem'];

/** Tests of these files that need something which does not work there yet. */
const notYet = [
  'a refused order changes nothing',
  'a mail that is sent again has the same Message-ID',
  'a gift is spent in parts, and its state',
  'what somebody has to fulfil is requested',
  'ledger verify names a redemption',
];

const [url, ...chosen] = process.argv.slice(2);
if (url === undefined) {
  console.error('usage: npm run test:spread -- postgres://… [test files]');
  process.exit(2);
}
const root = join(import.meta.dirname, '..');
const { status } = spawnSync(
  process.execPath,
  [
    ...['--test', '--test-concurrency=1', '--test-timeout=240000', '--test-global-setup=test/support/postgres.ts'],
    ...notYet.map((name) => `--test-skip-pattern=${name}`),
    ...(chosen.length > 0 ? chosen : files.map((file) => `test/${file}.test.ts`)),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, GIFTWIRE_TEST_CLUSTER: url } },
);
process.exitCode = status ?? 1;
