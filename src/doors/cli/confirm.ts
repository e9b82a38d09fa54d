import { createInterface } from 'node:readline/promises';
import { Failure } from '../../ground/errors.ts';

/**
 * Shows what a command would do, and continues only if a person says so. Scripts say --yes. What is shown goes to standard
 * error, so that standard output holds the result alone.
 */
export async function confirm(preview: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  console.error(preview);
  if (!process.stdin.isTTY)
    throw new Failure('invalid', 'Nothing was changed: confirmation needs a terminal. Add --yes to run without it.');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question('Go on? (y/N) ');
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('invalid', 'Nothing was changed.');
  } finally {
    prompt.close();
  }
}
