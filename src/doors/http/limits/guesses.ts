import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../../../ground/metrics.ts';
import { createCodeLimit } from './pace.ts';

/** Far more than people mistype, and far fewer than guessing 80 bits would take. */
const alarmAbovePerMinute = 300;
const minuteMs = 60_000;

/** Looks up a typed code, and counts the wrong ones. */
export type LookUpCode = <T>(address: string, lookUp: () => Promise<T | null>) => Promise<T | null>;

/**
 * Limits wrong codes for each address, and raises the alarm when there are many over all addresses. A right code always passes, so
 * that sharing an IP address with a guesser has no effect: the 80 bits of a code protect the gifts.
 */
export function guardCodes({ wrongCodes }: Pick<Metrics, 'wrongCodes'>, log: FastifyBaseLogger): LookUpCode {
  const limitWrong = createCodeLimit();
  const noteWrong = createAlarm(log);
  return async (address, lookUp) => {
    const found = await lookUp();
    if (found !== null) return found;
    noteWrong();
    try {
      await limitWrong(address);
    } catch (refusal) {
      wrongCodes.inc({ outcome: 'refused' });
      throw refusal;
    }
    wrongCodes.inc({ outcome: 'wrong' });
    return null;
  };
}

/** One line a minute at most, however many codes are wrong. */
function createAlarm(log: FastifyBaseLogger): () => void {
  let since = performance.now();
  let wrong = 0;
  return () => {
    if (performance.now() - since > minuteMs) [since, wrong] = [performance.now(), 0];
    wrong += 1;
    if (wrong === alarmAbovePerMinute)
      log.warn(
        { wrongCodes: wrong, withinMs: Math.round(performance.now() - since) },
        'Many wrong gift codes: an attacker may be guessing. giftwire_wrong_gift_codes_total shows how many.',
      );
  };
}
