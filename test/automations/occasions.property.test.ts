import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueAtOf } from '../../src/giving/automations/due-at.ts';
import {
  amountByYears,
  occasionsOf,
  occasionsSentBetween,
  type PersonDates,
} from '../../src/giving/automations/occasions.ts';
import { holidaysFor, sendDayOf } from '../../src/giving/automations/working-days.ts';
import type { AutomationTerms } from '../../src/ground/contract/automation.ts';
import { aDay, modelCountries, modelZones, someTerms } from '../support/automations-cases.ts';
import { celebration, dayNth, dayOf, firstMoment, sentOn, shownAt } from '../support/automations-model.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const nothing: PersonDates = { birthday: null, hireDate: null, lastRecognizedOn: null };
const isHoliday = await holidaysFor(['BEFORE']);
const terms = (some: Partial<AutomationTerms>) => ({
  trigger: { is: 'BIRTHDAY' as const },
  action: { is: 'GIFT' as const, amount: 25 },
  onLeapDay: 'FEB_28' as const,
  ...some,
});
const daysOf = (some: Partial<AutomationTerms>, person: Partial<PersonDates>, from: string, to: string) =>
  occasionsOf(terms(some), { ...nothing, ...person }, from, to).map(({ forDay }) => forDay);

test('29 February is celebrated in other years on 28 February, on 1 March, or not at all', () => {
  const between = ['2027-01-01', '2029-12-31'] as const;
  const person = { birthday: '02-29', hireDate: '2024-02-29' };
  const expected = {
    FEB_28: ['2027-02-28', '2028-02-29', '2029-02-28'],
    MAR_1: ['2027-03-01', '2028-02-29', '2029-03-01'],
    LEAP_YEARS: ['2028-02-29'],
  };
  for (const onLeapDay of ['FEB_28', 'MAR_1', 'LEAP_YEARS'] as const)
    for (const trigger of [{ is: 'BIRTHDAY' }, { is: 'ANNIVERSARY' }, { is: 'YEARLY', monthDay: '02-29' }] as const)
      assert.deepEqual(
        daysOf({ trigger, onLeapDay }, person, ...between),
        expected[onLeapDay],
        `${trigger.is} ${onLeapDay}`,
      );
});

test('an anniversary of zero years is never celebrated, nor one before the first day', () => {
  const trigger = { is: 'ANNIVERSARY' as const };
  const found = (hireDate: string) => daysOf({ trigger }, { hireDate }, '2026-01-01', '2028-12-31');
  assert.deepEqual(found('2026-06-15'), ['2027-06-15', '2028-06-15']);
  assert.deepEqual(found('2027-12-31'), ['2028-12-31']);
  assert.deepEqual(found('2030-01-01'), []);
});

test('the celebrated years and their amounts follow the tiers, then every further number of years', () => {
  const action = {
    ...{ is: 'GIFT' as const, amount: 10 },
    byYears: [{ years: 5, amount: 100 }, { years: 1, amount: 25 }, { years: 3 }],
    further: { every: 5, amount: 250 },
  };
  const trigger = { is: 'ANNIVERSARY' as const };
  const found = occasionsOf(
    terms({ trigger, action }),
    { ...nothing, hireDate: '2010-05-05' },
    '2010-01-01',
    '2031-01-01',
  );
  const paid = found.map(({ years }) => [years, amountByYears(action, years)]);
  assert.deepEqual(paid, [
    [1, 25],
    [3, 10],
    [5, 100],
    [10, 250],
    [15, 250],
    [20, 250],
  ]);
});

test('days count from the first day, which is day 0, and from the last recognition', () => {
  const hireDate = '2028-02-01';
  const found = (is: 'AFTER_HIRE' | 'UNRECOGNIZED', days: number, person: Partial<PersonDates>) =>
    daysOf({ trigger: { is, days } }, person, '2028-01-01', '2028-12-31');
  assert.deepEqual(found('AFTER_HIRE', 0, { hireDate }), ['2028-02-01']);
  assert.deepEqual(found('AFTER_HIRE', 30, { hireDate }), ['2028-03-02']);
  assert.deepEqual(found('UNRECOGNIZED', 90, { hireDate, lastRecognizedOn: '2028-06-01' }), ['2028-08-30']);
  assert.deepEqual(found('UNRECOGNIZED', 90, { hireDate }), ['2028-05-01']);
  assert.deepEqual(found('UNRECOGNIZED', 90, {}), []);
});

test('days off move to the working day before or after, also over a row of weekends and holidays', () => {
  const moved = (day: string, country: string | null) =>
    (['SAME_DAY', 'BEFORE', 'AFTER'] as const).map((onDayOff) => sendDayOf(day, onDayOff, country, isHoliday));
  assert.deepEqual(moved('2027-12-25', null), ['2027-12-25', '2027-12-24', '2027-12-27']);
  assert.deepEqual(moved('2027-12-25', 'GB'), ['2027-12-25', '2027-12-24', '2027-12-29']);
  assert.deepEqual(moved('2027-01-01', 'CA'), ['2027-01-01', '2026-12-31', '2027-01-04']);
  // Several days of one holiday, which begins at sunset.
  assert.deepEqual(moved('2027-03-10', 'SA'), ['2027-03-10', '2027-03-08', '2027-03-15']);
  assert.deepEqual(moved('2027-03-10', 'ZZ'), ['2027-03-10', '2027-03-10', '2027-03-10']);
});

test('an hour that clocks skip is the next moment that exists, and one that comes twice is the first', () => {
  const at = (day: string, hour: number, zone: string) => new Date(dueAtOf(day, hour, zone)).toISOString();
  assert.equal(at('2027-03-14', 2, 'America/Halifax'), '2027-03-14T06:00:00.000Z');
  assert.equal(at('2027-11-07', 1, 'America/Halifax'), '2027-11-07T04:00:00.000Z');
  assert.equal(at('2027-10-03', 2, 'Australia/Lord_Howe'), '2027-10-02T15:30:00.000Z');
  assert.equal(at('2027-04-04', 1, 'Australia/Lord_Howe'), '2027-04-03T14:00:00.000Z');
  assert.equal(at('2011-12-30', 8, 'Pacific/Apia'), '2011-12-30T10:00:00.000Z');
  assert.equal(at('2027-01-15', 8, 'Asia/Kathmandu'), '2027-01-15T02:15:00.000Z');
});

test('the moment of an hour is the first at which clocks of the zone show it or a later one', () => {
  const cases = fc.tuple(aDay('2026-01-01', '2032-12-31'), fc.nat(23), fc.constantFrom(...modelZones));
  fc.assert(
    fc.property(cases, ([day, hour, zone]) => {
      const moment = dueAtOf(day, hour, zone);
      assert.equal(moment, firstMoment(dayOf(day), hour, zone));
      assert.ok(shownAt(moment, zone) >= `${day} ${String(hour).padStart(2, '0')}:00`);
    }),
    { numRuns: runs(1_000) },
  );
});

test('a working day is never moved, and a day off becomes a working day', () => {
  const cases = fc.tuple(
    aDay('2026-02-01', '2032-11-30'),
    fc.constantFrom('BEFORE' as const, 'AFTER' as const),
    fc.constantFrom(...modelCountries),
  );
  fc.assert(
    fc.property(cases, ([day, onDayOff, country]) => {
      const sendDay = sendDayOf(day, onDayOff, country, isHoliday);
      assert.equal(sendDay, sentOn(dayOf(day), onDayOff, country).text);
      assert.equal(sendDayOf(sendDay, onDayOff, country, isHoliday), sendDay);
    }),
    { numRuns: runs(3_000) },
  );
});

test('every occasion goes out once, in whichever pieces its days are asked for', () => {
  const person = fc.record({
    birthday: fc.option(aDay('2028-01-01', '2028-12-31').map((day) => day.slice(5))),
    hireDate: fc.option(aDay('2015-01-01', '2031-12-31')),
    lastRecognizedOn: fc.option(aDay('2026-01-01', '2028-12-31')),
    country: fc.constantFrom(...modelCountries),
  });
  const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 30, maxLength: 60 });
  fc.assert(
    fc.property(someTerms, person, cuts, (its, who, lengths) => {
      let from = dayOf('2027-01-01');
      const first = from.text;
      const pieces = lengths.flatMap((length) => {
        const to = dayNth(from.nth + length - 1);
        const found = occasionsSentBetween(its, who, from.text, to.text, isHoliday);
        from = dayNth(to.nth + 1);
        return found;
      });
      const last = dayNth(from.nth - 1).text;
      const inOrder = (some: typeof pieces) => some.toSorted((a, b) => (a.forDay < b.forDay ? -1 : 1));
      assert.deepEqual(inOrder(pieces), inOrder(occasionsSentBetween(its, who, first, last, isHoliday)));
      const celebrates = celebration(its);
      for (const { forDay, years } of pieces)
        assert.equal(celebrates(dayOf(forDay), { ...who, timeZone: 'UTC' })?.years, years, forDay);
    }),
    { numRuns: runs(1_000) },
  );
});
