import Type, { type Static } from 'typebox';
import { anId, named, ref } from './schema.ts';

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, format: 'text', description, examples: [example] });

export const AudiencePart = named(
  'AudiencePart',
  Type.Object(
    {
      department: Type.Optional(text(200, 'A department, ignoring case.', 'Support')),
      costCentre: Type.Optional(text(200, 'A cost centre, ignoring case.', 'CC-100')),
      location: Type.Optional(text(200, 'A location, ignoring case.', 'Halifax')),
      country: Type.Optional(text(2, 'A country of ISO 3166.', 'CA')),
      teamId: Type.Optional(anId('A team.', 3)),
      memberId: Type.Optional(anId('One person.', 7)),
      custom: Type.Optional(
        Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
          description: 'Custom fields and their values, ignoring case.',
          examples: [{ contract: 'Permanent' }],
        }),
      ),
    },
    { description: 'People to whom all of these apply.', examples: [{ department: 'Support' }] },
  ),
);
export type AudiencePart = Static<typeof AudiencePart>;

const parts = (description: string) => Type.Array(ref(AudiencePart), { maxItems: 50, description, examples: [[]] });

export const Audience = named(
  'Audience',
  Type.Object(
    {
      include: parts('People to whom one of these applies. Empty: all people.'),
      exclude: parts('Except people to whom one of these applies.'),
    },
    {
      description: 'Whom an automation, or the access of employees, is for.',
      examples: [{ include: [], exclude: [] }],
    },
  ),
);
export type Audience = Static<typeof Audience>;
