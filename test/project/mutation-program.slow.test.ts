import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { projectDir, runProgram } from '../support/process.ts';

const oneOfEach = join(projectDir, 'test/support/one-mutation-of-each-verdict.ts');

/** One for each subject: access, idempotency, turns of a workspace, money, privacy. Each takes a few seconds. */
const fixed = ['expired-token', 'other-body-replayed', 'two-turns-at-once', 'order-beyond-budget', 'events-of-others'];

async function verdicts(command: string, args: string[]) {
  const { code, stdout, stderr } = await runProgram(command, [...args, '--json'], {});
  assert.match(stdout, /^\{"tried":/, `${stdout}\n${stderr}`);
  const { outcomes } = JSON.parse(stdout) as { outcomes: { name: string; verdict: string }[] };
  return { code, verdicts: Object.fromEntries(outcomes.map(({ name, verdict }) => [name, verdict])) };
}

// At the same time, because each run waits for its own PostgreSQL and for a copy of the project first.
suite('the mutation program', { concurrency: true }, () => {
  test('a mutation that breaks a promise is caught by the test that holds it', async () => {
    const command = ['run', '--silent', 'test:mutations', '--', '--only', fixed.join(',')];
    assert.deepEqual(await verdicts('npm', command), {
      code: 0,
      verdicts: Object.fromEntries(fixed.map((name) => [name, 'caught'])),
    });
  });

  test('a mutation that changes nothing is reported as survived, with exit code 1', async () => {
    assert.deepEqual(await verdicts(process.execPath, [oneOfEach, '--only', 'noticed,harmless']), {
      code: 1,
      verdicts: { noticed: 'caught', harmless: 'survived' },
    });
  });

  test('a mutation that the tests could not judge, or that no longer applies, is not caught: exit code 1', async () => {
    assert.deepEqual(await verdicts(process.execPath, [oneOfEach, '--only', 'not-judged,no-such-test,not-there']), {
      code: 1,
      verdicts: { 'not-judged': 'broken', 'no-such-test': 'broken', 'not-there': 'does not apply' },
    });
  });
});
