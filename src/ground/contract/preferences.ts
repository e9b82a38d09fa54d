import Type, { type Static } from 'typebox';
import { named, nullable } from './schema.ts';

const chosen = {
  preferredName: nullable<string>('string', {
    maxLength: 100,
    format: 'text',
    description: 'The name by which colleagues know the person; null: the names that the company has recorded.',
    examples: ['Mei'],
  }),
  language: nullable<string>('string', {
    format: 'language-region',
    description: 'The language of emails and pages, and a region; null: that of the workspace.',
    examples: ['FR_CA'],
  }),
  timeZone: nullable<string>('string', {
    maxLength: 64,
    format: 'text',
    description: 'The time zone; null: that of the workspace.',
    examples: ['America/Vancouver'],
  }),
  showsBirthday: Type.Boolean({ description: 'Whether colleagues are told about the birthday. Never about its year.' }),
  showsAnniversary: Type.Boolean({ description: 'Whether colleagues are told about the work anniversary.' }),
  keptOut: Type.Boolean({
    description:
      'Whether the person is kept out of reports about individuals, the feed and automations. They set it, or their company does; then they get 403 for false.',
  }),
  digest: Type.Boolean({
    description:
      'Whether the person wants a weekly email on Mondays: the shoutouts that they received and gave, and the newest of the feed.',
  }),
  managerDigest: Type.Boolean({
    description:
      'Whether a manager wants the monthly email about direct reports who were not recognized, where the workspace sends it.',
  }),
};

export const Preferences = named(
  'Preferences',
  Type.Object(
    {
      name: Type.String({ description: 'The name that colleagues read.', examples: ['Mei Tanaka'] }),
      mayChangeName: Type.Boolean({ description: 'Whether the workspace lets people set their preferred name.' }),
      employeeNumber: nullable<string>('string', { description: 'The employee number.', examples: ['04417'] }),
      email: nullable<string>('string', { description: 'The recorded email address.' }),
      department: nullable<string>('string', { description: 'The department.', examples: ['Platform'] }),
      location: nullable<string>('string', { description: 'The location.', examples: ['Vancouver'] }),
      avatar: nullable<string>('string', { description: 'The URL of the picture.' }),
      hasBirthday: Type.Boolean({ description: 'Whether a birthday is recorded.' }),
      hasHireDate: Type.Boolean({ description: 'Whether a first day is recorded.' }),
      hasManagerDigest: Type.Boolean({
        description: 'Whether the workspace emails managers each month, and the person has direct reports.',
      }),
      ...chosen,
    },
    { description: 'What the member that the caller acts as has chosen, and what is recorded of them.' },
  ),
);
export type Preferences = Static<typeof Preferences>;

export const PreferencesChange = named(
  'PreferencesChange',
  Type.Partial(Type.Object(chosen), {
    description: 'What to change; fields that are left out stay as they are.',
    examples: [{ language: 'FR_CA', showsBirthday: false }],
  }),
);
export type PreferencesChange = Static<typeof PreferencesChange>;

export const preferencesSchemas = [Preferences, PreferencesChange];
