import Type, { type Static } from 'typebox';
import { Activity } from './activity.ts';
import { PageQuery } from './paging.ts';
import { named, nullable, oneOf, ref, strictQuery } from './schema.ts';

const MemberActivity = named(
  'MemberActivity',
  Type.Object(
    {
      giftId: nullable<number>('integer', {
        description: 'The id of the gift; null for a shoutout.',
        examples: [90210],
      }),
      shoutoutId: nullable<number>('integer', {
        description: 'The id of the shoutout; null for a gift.',
        examples: [null],
      }),
      ...Activity.properties,
    },
    { description: 'One recognition that a member received or gave.' },
  ),
);
export type MemberActivity = Static<typeof MemberActivity>;

export const MemberActivityPage = named(
  'MemberActivityPage',
  Type.Object(
    {
      activities: Type.Array(ref(MemberActivity), { description: 'The newest first.' }),
      next: nullable<string>('string', {
        description: 'Send it as `after` to read on; null at the end.',
        examples: [null],
      }),
    },
    { description: "A page of a member's recognition." },
  ),
);
export type MemberActivityPage = Static<typeof MemberActivityPage>;

export const direction = oneOf(['received', 'given'], {
  default: 'received',
  description: 'What was received, or what was given.',
});

export const MemberActivityQuery = strictQuery({
  direction,
  size: PageQuery.size,
  after: Type.Optional(
    Type.String({
      maxLength: 80,
      description: 'The `next` of the page before. From the newest one when absent.',
    }),
  ),
});
export type MemberActivityQuery = Static<typeof MemberActivityQuery>;

export const memberActivitySchemas = [MemberActivity, MemberActivityPage];
