import Type, { type Static } from 'typebox';
import { ownQuery } from './paging.ts';
import { named } from './schema.ts';

const description = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'text',
  description: 'What people are recognized for; each stands once in a workspace, whatever its case.',
  examples: ['Teamwork'],
});
const isDefault = Type.Boolean({ description: 'Whether it is the one of gifts and shoutouts that name none.' });

export const NewReason = named('NewReason', Type.Object({ description, isDefault: Type.Optional(isDefault) }));
export type NewReason = Static<typeof NewReason>;

export const ReasonChange = named('ReasonChange', Type.Partial(Type.Object({ description, isDefault })));
export type ReasonChange = Static<typeof ReasonChange>;

export const ReasonQuery = ownQuery({});

export const ReasonParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the reason.' }),
});

export const Reason = named('Reason', Type.Object({ id: Type.Integer({ examples: [1] }), description, isDefault }));
export type Reason = Static<typeof Reason>;

export const ReasonList = named('ReasonList', Type.Object({ reasons: Type.Array(Reason) }));
export type ReasonList = Static<typeof ReasonList>;
