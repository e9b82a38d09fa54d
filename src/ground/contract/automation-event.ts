import Type from 'typebox';
import { dayField } from './automation-plan.ts';
import { occurrenceReasons, occurrenceStates } from './occurrence.ts';
import { named } from './schema.ts';

const id = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const occurrence = {
  automationId: id('The automation.', 4),
  occurrenceId: id('The occurrence.', 31),
  memberId: id('The person.', 17),
  forDay: Type.Optional(dayField('The day that is celebrated. Absent for birthdays, which are private.')),
};

/** What people should know about automations, beyond the orders and shoutouts that they send. */
export const automationEvents = {
  'automation.not_done': {
    meaning:
      'Something of an automation did not go out, went out without its gift, or was skipped because it was too late. It can be sent by hand.',
    data: named(
      'AutomationNotDoneData',
      Type.Object({
        ...occurrence,
        state: Type.Unsafe<string>({
          type: 'string',
          enum: [...occurrenceStates],
          description: 'NOT_DONE, MESSAGE_ONLY or SKIPPED.',
          examples: ['MESSAGE_ONLY'],
        }),
        reason: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          enum: [...occurrenceReasons, null],
          description: 'Why.',
          examples: ['NO_MONEY'],
        }),
      }),
    ),
  },
  'automation.late': {
    meaning: 'Something of an automation went out late, because the service was down or a date became known late.',
    data: named('AutomationLateData', Type.Object({ ...occurrence, daysLate: id('How many days late.', 2) })),
  },
};
