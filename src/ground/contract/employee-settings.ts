import Type, { type Static } from 'typebox';
import { Audience } from './audience.ts';
import { named, nullable, nullableRef, oneOf } from './schema.ts';

const fields = {
  access: oneOf(['OFF', 'ALL', 'AUDIENCE'], {
    description:
      'Which people of the directory sign in without being users: none, all who have not left, or those of the audience.',
  }),
  audience: nullableRef(Audience, { description: 'Whom AUDIENCE lets in; null before one was chosen.' }),
  leaverDays: nullable<number>('integer', {
    minimum: 1,
    maximum: 3_650,
    description:
      'For how many days people who have left sign in by an emailed link, to read and spend the gifts that they have; null: not at all.',
    examples: [90],
  }),
  matchesSubject: Type.Boolean({
    description:
      'Whether the subject that the OpenID provider names is the externalId that SCIM sends. Then people sign in through a provider that verifies no email addresses.',
  }),
  setNames: Type.Boolean({ description: 'Whether people set the name by which their colleagues know them.' }),
  givesGifts: Type.Boolean({
    description:
      'Whether people add gifts to their shoutouts. They draw on a budget of their own, or on a shared one that has a cap for each person and month.',
  }),
  feedShowsGifts: Type.Boolean({
    description:
      'Whether the feed says that a gift came with a shoutout, if its sender wants that too. It never says an amount.',
  }),
  managerDigest: Type.Boolean({
    description:
      'Whether managers are emailed on the first day of a month which of their direct reports were not recognized in the month before. A manager can unsubscribe.',
  }),
};

export const EmployeeSettings = named(
  'EmployeeSettings',
  Type.Object(fields, {
    description: 'Which people of the directory sign in, what they may change, and what managers are emailed.',
  }),
);
export type EmployeeSettings = Static<typeof EmployeeSettings>;

export const EmployeeSettingsChange = named(
  'EmployeeSettingsChange',
  Type.Partial(Type.Object(fields), {
    description: 'What to change; fields that are left out stay as they are.',
    examples: [{ access: 'ALL', leaverDays: 90 }],
  }),
);
export type EmployeeSettingsChange = Static<typeof EmployeeSettingsChange>;

export const employeeSettingsSchemas = [EmployeeSettings, EmployeeSettingsChange];
