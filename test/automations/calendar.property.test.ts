import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueAtOf } from '../../src/giving/automations/due-at.ts';
import { amountByYears, occasionsSentBetween } from '../../src/giving/automations/occasions.ts';
import { holidaysFor } from '../../src/giving/automations/working-days.ts';
import { modelCountries, modelZones, someTerms } from '../support/automations-cases.ts';
import { celebration, dayNth, dayOf, firstMoment, type ModelPerson, sentOn } from '../support/automations-model.ts';
import fc from '../support/fast-check.ts';
import { Random } from '../support/random.ts';
import { runs } from '../support/runs.ts';

const isHoliday = await holidaysFor(['BEFORE']);
const [first, last] = [dayOf('2027-01-01'), dayOf('2031-12-31')];

/** Many were born or hired on 29 February or around the new year. */
function somePeople(seed: number, count: number): ModelPerson[] {
  const random = new Random(seed);
  const day = (from: string, to: string) => dayNth(random.int(dayOf(from).nth, dayOf(to).nth)).text;
  return Array.from({ length: count }, () => ({
    birthday: random.chance(0.1) ? null : random.chance(0.05) ? '02-29' : day('2028-01-01', '2028-12-31').slice(5),
    hireDate: random.chance(0.1) ? null : random.chance(0.05) ? '2024-02-29' : day('2012-01-01', '2032-12-31'),
    lastRecognizedOn: random.chance(0.5) ? null : day('2026-06-01', '2031-12-31'),
    country: random.pick(modelCountries),
    timeZone: random.pick(modelZones),
  }));
}

test('in five years, 500 people of twelve time zones get the same gifts at the same moments as by the independent model', () => {
  fc.assert(
    fc.property(someTerms, fc.nat(), (terms, seed) => {
      const celebrates = celebration(terms);
      for (const [nth, person] of somePeople(seed, 500).entries()) {
        const found = occasionsSentBetween(terms, person, first.text, last.text, isHoliday).map(
          ({ forDay, years, sendDay }) =>
            `${forDay} ${years} ${sendDay} ${dueAtOf(sendDay, terms.hour, person.timeZone)} ${amountByYears(terms.action, years)}`,
        );
        const expected: string[] = [];
        // A day may go out earlier or later than the first or the last day.
        for (let at = first.nth - 20; at <= last.nth + 20; at += 1) {
          const day = dayNth(at);
          const occasion = celebrates(day, person);
          if (!occasion) continue;
          const sendDay = sentOn(day, terms.onDayOff, person.country);
          if (sendDay.nth < first.nth || sendDay.nth > last.nth) continue;
          const moment = firstMoment(sendDay, terms.hour, person.timeZone);
          expected.push(`${occasion.forDay} ${occasion.years} ${sendDay.text} ${moment} ${occasion.amount}`);
        }
        assert.deepEqual(found, expected, `person ${nth}: ${JSON.stringify(person)}`);
      }
    }),
    // GIFTWIRE_TEST_RUNS=34 tries a thousand companies.
    { numRuns: runs(30) },
  );
});
