import type { AutomationTerms } from '../../src/ground/contract/automation.ts';
import { dayNth, dayOf } from './automations-model.ts';
import fc from './fast-check.ts';

/** Twelve time zones: north and south, with changes of clocks by an hour and by half an hour, at midnight too, and without. */
export const modelZones = [
  'America/Halifax',
  'America/Vancouver',
  'America/St_Johns',
  'America/Santiago',
  'Europe/London',
  'Europe/Paris',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
] as const;

export const modelCountries = ['CA', 'FR', 'GB', 'JP', 'SA', null] as const;

export function aDay(first: string, last: string): fc.Arbitrary<string> {
  return fc.integer({ min: dayOf(first).nth, max: dayOf(last).nth }).map((nth) => dayNth(nth).text);
}

const trigger: fc.Arbitrary<AutomationTerms['trigger']> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ is: 'BIRTHDAY' as const }) },
  { weight: 3, arbitrary: fc.constant({ is: 'ANNIVERSARY' as const }) },
  fc.record({ is: fc.constant('AFTER_HIRE' as const), days: fc.constantFrom(0, 30, 90, 365) }),
  fc.record({
    is: fc.constant('YEARLY' as const),
    monthDay: fc.constantFrom('02-29', '12-25', '01-01', '07-01', '12-31'),
  }),
  fc.record({ is: fc.constant('ONCE' as const), day: aDay('2027-01-01', '2030-12-31') }),
  fc.record({ is: fc.constant('UNRECOGNIZED' as const), days: fc.constantFrom(1, 30, 90) }),
);

const amount = fc.constantFrom(5, 25, 50, 100);
const tier = fc.record({ years: fc.integer({ min: 1, max: 12 }), amount }, { requiredKeys: ['years'] });

/** The terms of an automation that decide about days and amounts. */
export const someTerms: fc.Arbitrary<
  Pick<AutomationTerms, 'trigger' | 'action' | 'onLeapDay' | 'onDayOff' | 'hour' | 'catchUpDays'>
> = fc.record({
  trigger,
  action: fc.record(
    {
      is: fc.constant('GIFT' as const),
      currency: fc.constant('CAD'),
      amount,
      byYears: fc.uniqueArray(tier, { maxLength: 5, selector: ({ years }) => years }),
      further: fc.record({ every: fc.constantFrom(1, 2, 5), amount }, { requiredKeys: ['every'] }),
    },
    { requiredKeys: ['is', 'currency', 'amount'] },
  ),
  onLeapDay: fc.constantFrom('FEB_28' as const, 'MAR_1' as const, 'LEAP_YEARS' as const),
  onDayOff: fc.constantFrom('SAME_DAY' as const, 'BEFORE' as const, 'AFTER' as const),
  hour: fc.constantFrom(0, 1, 2, 3, 8, 9, 12, 23),
  catchUpDays: fc.constantFrom(0, 1, 5, 14),
});
