import Type, { type Static } from 'typebox';
import { anId, named, nullableId, ref } from './schema.ts';

const description = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'text',
  description: 'What people are recognized for. Unique in a workspace, ignoring case.',
  examples: ['Teamwork'],
});
const isDefault = Type.Boolean({
  description: 'Whether gifts and shoutouts without a reason get this one.',
  examples: [false],
});

/** What a gift or a shoutout is for. */
export const reasonId = Type.Optional(nullableId("One of the workspace's reasons; the default reason when absent.", 1));

export const NewReason = named(
  'NewReason',
  Type.Object(
    { description, isDefault: Type.Optional(isDefault) },
    { description: 'A reason to add.', examples: [{ description: 'Mentoring', isDefault: false }] },
  ),
);
export type NewReason = Static<typeof NewReason>;

export const ReasonChange = named(
  'ReasonChange',
  Type.Partial(Type.Object({ description, isDefault }), {
    description: 'What to change about a reason; fields that are left out stay as they are.',
    examples: [{ description: 'Helping others' }],
  }),
);
export type ReasonChange = Static<typeof ReasonChange>;

export const ReasonParams = Type.Object({
  id: anId('The id of the reason.'),
});

export const Reason = named(
  'Reason',
  Type.Object(
    { id: Type.Integer({ description: 'Identifies the reason.', examples: [1] }), description, isDefault },
    { description: 'What people can be recognized for.' },
  ),
);
export type Reason = Static<typeof Reason>;

export const ReasonList = named(
  'ReasonList',
  Type.Object(
    { reasons: Type.Array(ref(Reason), { description: 'The default first.' }) },
    { description: 'All reasons that are not retired.' },
  ),
);
export type ReasonList = Static<typeof ReasonList>;

export const reasonSchemas = [NewReason, ReasonChange, Reason, ReasonList];
