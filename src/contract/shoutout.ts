import Type, { type Static } from 'typebox';
import { Activity, moment, UserSummary } from './activity.ts';
import { IdempotencyHeader } from './idempotency.ts';
import { ownQuery, PageFields, PageQuery } from './paging.ts';
import { KnownMember, Recipient } from './recipient.ts';
import { named, nullable } from './schema.ts';

export const ShoutoutRequest = named(
  'ShoutoutRequest',
  Type.Object(
    {
      recipient: Recipient,
      message: Type.String({
        minLength: 1,
        maxLength: 1_000,
        format: 'text',
        description: 'What is said, counted after trimming.',
        examples: ['Thank you for the launch!'],
      }),
      reasonId: Type.Optional(
        nullable<number>('integer', {
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "One of the workspace's reasons; its default when absent.",
          examples: [1],
        }),
      ),
      isPrivate: Type.Boolean({ default: false, description: 'Flagged as private in the reports.' }),
      sender: Type.Optional(KnownMember),
    },
    {
      description: 'A word of thanks. The sender is the member that the token acts as, unless another is named.',
      required: ['recipient', 'message'],
    },
  ),
);
export type ShoutoutRequest = Static<typeof ShoutoutRequest>;

export const Decision = named(
  'Decision',
  Type.Object(
    {
      reason: Type.Optional(
        nullable<string>('string', {
          maxLength: 1_000,
          format: 'text',
          description: 'Why, counted after trimming. Kept with the shoutout and shown as its decisionReason.',
          examples: ['Please name the project.'],
        }),
      ),
    },
    { description: 'What the one who decides has to say. The body may be left out.' },
  ),
);
export type Decision = Static<typeof Decision>;

export const ShoutoutHeaders = Type.Object(IdempotencyHeader);

export const ShoutoutParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the shoutout.' }),
});

export const ShoutoutQuery = ownQuery({
  status: Type.Enum(['PENDING', 'APPROVED', 'DECLINED'], {
    default: 'PENDING',
    description: 'Those that wait for a decision when absent.',
  }),
  ...PageQuery,
});
export type ShoutoutQuery = Static<typeof ShoutoutQuery>;

export const Shoutout = named(
  'Shoutout',
  Type.Object(
    {
      id: Type.Integer({ description: 'Names it in its workspace, for approve and decline.', examples: [42] }),
      ...Activity.properties,
      status: Type.Enum(['PENDING', 'APPROVED', 'DECLINED']),
      decidedBy: Type.Unsafe<Static<typeof UserSummary> | null>({
        ...UserSummary,
        type: ['object', 'null'],
        description: 'Who approved or declined it; null while it waits, and where it needed no decision.',
      }),
      decidedOn: nullable<string>('string', { ...moment, description: `When it was decided. ${moment.description}` }),
      decisionReason: nullable<string>('string', {
        description: 'Why, as the one who decided said; null where they said nothing.',
        examples: ['Please name the project.'],
      }),
    },
    { description: 'The activity record of a shoutout, with its id and who decided it, when and why.' },
  ),
);
export type Shoutout = Static<typeof Shoutout>;

export const ShoutoutPage = named(
  'ShoutoutPage',
  Type.Object({ ...PageFields, shoutouts: Type.Array(Shoutout, { description: 'Newest first.' }) }),
);
export type ShoutoutPage = Static<typeof ShoutoutPage>;
