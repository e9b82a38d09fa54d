import Type, { type Static } from 'typebox';
import { groupFields } from '../values/member.ts';
import { namedFields } from './member-fields.ts';
import { anId, named, ref } from './schema.ts';

export const AudiencePart = named(
  'AudiencePart',
  Type.Object(
    {
      ...namedFields(groupFields, (name) => `A ${name}, ignoring case.`),
      country: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2,
          format: 'text',
          description: 'A country of ISO 3166.',
          examples: ['CA'],
        }),
      ),
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
