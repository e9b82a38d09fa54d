import Type from 'typebox';
import { reportDays } from '../values/moment.ts';

/** A day that a caller may leave out. */
export const dayBefore = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'report-day',
      description: `${description} A day from ${reportDays.first} to ${reportDays.last}.`,
    }),
  );

/** Which days a report is about. Days are those of the workspace's time zone. */
export const SpanQuery = {
  from: dayBefore('The first day of the span. 89 days before `to` when absent.'),
  to: dayBefore('The last day of the span. The day `asOf` when absent.'),
  asOf: dayBefore(
    'The report as it was at the end of this day: the people who were here then, and what was given until then. Departments, teams and managers are those of today. Today when absent.',
  ),
};

const day = (description: string, example: string) => Type.String({ format: 'date', description, examples: [example] });

export const SpanFields = {
  from: day('The first day.', '2026-08-19'),
  to: day('The last day.', '2026-11-16'),
  asOf: day('The report is as of the end of this day.', '2026-11-16'),
};
