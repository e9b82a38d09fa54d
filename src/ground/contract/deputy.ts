import Type, { type Static } from 'typebox';
import { anId, named } from './schema.ts';

const deputy = {
  memberId: anId('Who decides instead.', 5),
  from: Type.String({ format: 'date', description: 'The first day.', examples: ['2026-12-20'] }),
  to: Type.String({ format: 'date', description: 'The last day.', examples: ['2027-01-06'] }),
};

export const NewDeputy = named(
  'NewDeputy',
  Type.Object(deputy, {
    description: "Who decides for the caller while they are away, on days in the workspace's time zone.",
    examples: [{ memberId: 5, from: '2026-12-20', to: '2027-01-06' }],
  }),
);
export type NewDeputy = Static<typeof NewDeputy>;

export const Deputy = named(
  'Deputy',
  Type.Object(
    { ...deputy, name: Type.String({ description: 'Their name.', examples: ['Elena Brandt'] }) },
    { description: 'Who decides for the caller on these days, and after the caller has left.' },
  ),
);
export type Deputy = Static<typeof Deputy>;

export const deputySchemas = [NewDeputy, Deputy];
