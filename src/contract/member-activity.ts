import Type, { type Static } from 'typebox';
import { Activity } from './activity.ts';
import { PageQuery } from './paging.ts';
import { named, nullable, oneOf, ref, strictQuery } from './schema.ts';

const MemberActivity = named(
  'MemberActivity',
  Type.Object(
    {
      id: Type.Integer({ description: 'Its number in the workspace; a shoutout has the same id.', examples: [4812] }),
      giftId: nullable<number>('integer', {
        description: 'The id of the gift; null for a shoutout.',
        examples: [90210],
      }),
      ...Activity.properties,
    },
    { description: 'One recognition that a member received or gave.' },
  ),
);
export type MemberActivity = Static<typeof MemberActivity>;

export const MemberActivityPage = named(
  'MemberActivityPage',
  Type.Object({
    activities: Type.Array(ref(MemberActivity), { description: 'The newest first.' }),
    next: nullable<number>('integer', {
      description: 'Send it as `after` to read on; null at the end.',
      examples: [null],
    }),
  }),
);
export type MemberActivityPage = Static<typeof MemberActivityPage>;

export const MemberActivityQuery = strictQuery({
  direction: oneOf(['received', 'given'], {
    default: 'received',
    description: 'What the member received, or what they gave.',
  }),
  size: PageQuery.size,
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The `next` of the page before. From the newest one when absent.',
    }),
  ),
});
export type MemberActivityQuery = Static<typeof MemberActivityQuery>;

export const memberActivitySchemas = [MemberActivity, MemberActivityPage];
