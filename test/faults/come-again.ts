import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Journal } from './journal.ts';

const mostTimes = 5;

/**
 * A shared machine may stand still for longer than the service waits for its database. There, who is told to come again does so; the
 * last answer counts. With a machine of one's own, the first one does.
 */
export async function comeAgain(journal: Journal, first: Answer, send: () => Promise<Answer>): Promise<Answer> {
  let answer = first;
  for (let again = 0; answer.status === 503 && journal.patience > 1 && again < mostTimes; again++) {
    await sleep(1_000);
    answer = await send();
  }
  return answer;
}
