import { type DateOrder as KnownOrder, orderFormats } from '../../../../../src/ground/sheets/date-order.ts';
import { readDate } from '../../../../../src/ground/sheets/dates.ts';
import { isMoment } from '../../../../../src/ground/values/moment.ts';

/** How 03/04/2026 is meant in a file; null: not decided yet. */
export type DateOrder = KnownOrder | null;

export type DateFault = 'notDate' | 'ambiguous' | 'past';

/** A day without a time means the morning. */
const morning = '09:00';
const dayMs = 86_400_000;

/** The moment at which a gift is to be emailed, from a day or a day with a time, in the time zone of the browser. */
export function readWhen(text: string, order: DateOrder, now: Date): { deliverAt: string } | DateFault {
  const moment = isMoment(text) ? new Date(text) : localMoment(text, order);
  if (typeof moment === 'string') return moment;
  if (Number.isNaN(moment.getTime())) return 'notDate';
  // The service takes a moment of the last day, and emails at once.
  return moment.getTime() < now.getTime() - dayMs ? 'past' : { deliverAt: moment.toISOString() };
}

function localMoment(text: string, order: DateOrder): Date | DateFault {
  const [, day = '', hours, minutes] = /^(.*?)(?:[T ,]+(\d{1,2}):(\d\d)(?::00(?:\.0+)?)?)?$/s.exec(text) ?? [];
  if (/[T:]/.test(day.replace(/[a-z]{3,}/gi, ''))) return 'notDate';
  const read = readDate(day, order === null ? undefined : orderFormats[order]);
  if (read === null) return 'notDate';
  if ('problem' in read) return read.problem === 'ambiguous' ? 'ambiguous' : 'notDate';
  return new Date(`${read.day}T${hours === undefined ? morning : `${hours.padStart(2, '0')}:${minutes}`}`);
}
