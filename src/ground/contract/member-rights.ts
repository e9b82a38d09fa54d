import Type, { type Static } from 'typebox';
import { Actor } from './actor.ts';
import { named, nullable, nullableRef, ref } from './schema.ts';

const reason = (description: string) =>
  Type.String({ format: 'text', minLength: 1, maxLength: 500, description, examples: ['Case 2027-14, labour court'] });

const LegalHold = named(
  'LegalHold',
  Type.Object(
    {
      reason: reason('Why the data is kept.'),
      placedBy: ref(Actor, { description: 'Who placed it. The name is the one of today.' }),
      placedAt: Type.Unsafe<Date>({
        type: 'string',
        format: 'date-time',
        description: 'Since when.',
        examples: ['2027-03-31T15:00:00.000Z'],
      }),
    },
    { description: 'Keeps a person from being erased.' },
  ),
);
export type LegalHold = Static<typeof LegalHold>;

const KeptOut = named(
  'KeptOut',
  Type.Object(
    {
      reason: nullable<string>('string', {
        description: 'Why the company keeps the person out; null: the person has objected.',
        examples: ['Asked for it in writing'],
      }),
      decidedBy: ref(Actor, { description: 'Who decided it. The name is the one of today.' }),
      decidedAt: Type.Unsafe<Date>({
        type: 'string',
        format: 'date-time',
        description: 'Since when.',
        examples: ['2027-03-31T15:00:00.000Z'],
      }),
    },
    { description: 'Keeps a person out of reports about individuals, the feed and automations.' },
  ),
);
export type KeptOut = Static<typeof KeptOut>;

export const MemberRights = named(
  'MemberRights',
  Type.Object(
    {
      memberId: Type.Integer({ description: 'The id of the member.', examples: [17] }),
      hold: nullableRef(LegalHold, { description: 'The legal hold; null without one.' }),
      keptOut: nullableRef(KeptOut, { description: 'Whether the person is kept out of reports; null: no.' }),
    },
    { description: 'What is decided about the data of a person.' },
  ),
);
export type MemberRights = Static<typeof MemberRights>;

export const DecisionReason = named(
  'DecisionReason',
  Type.Object(
    { reason: reason('Why it was decided, for the audit log.') },
    {
      description: 'Why something is decided about the data of a person.',
      examples: [{ reason: 'Asked for it in writing' }],
    },
  ),
);

export const memberRightsSchemas = [LegalHold, KeptOut, MemberRights, DecisionReason];
