import Type, { type Static } from 'typebox';
import { ActivityReason } from './activity.ts';
import { direction } from './member-activity.ts';
import { NewPostGift, PostGift } from './post-gift.ts';
import { reasonId } from './reason.ts';
import {
  aMoment,
  aMomentOrNull,
  anId,
  named,
  nullable,
  nullableRef,
  oneOf,
  ref,
  strictQuery,
  words,
} from './schema.ts';

const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 1_000, format: 'text', description, examples: [example] });

/** Keyset pages: they begin after a place, so a page takes as long as any other. */
const pages = {
  size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Elements on a page.' }),
  after: Type.Optional(
    Type.String({
      pattern: '^\\d{1,16}$',
      description: 'Where the page begins: `next` of the page before.',
      [words]: { pattern: 'must be the `next` of a page' },
    }),
  ),
};
const next = nullable<string>('string', {
  description: 'Where the next page begins; null: this is the last one.',
  examples: ['41'],
});

export const FeedPerson = named(
  'FeedPerson',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the member.', examples: [17] }),
      firstName: Type.String({ description: 'The name that colleagues see.' }),
      lastName: Type.String({ description: 'The family name.' }),
      avatar: Type.String({ description: 'The URL of their picture, or empty.' }),
      self: Type.Boolean({ description: 'Whether it is the caller.' }),
    },
    { description: 'A person as colleagues see them: without addresses.' },
  ),
);
export type FeedPerson = Static<typeof FeedPerson>;

export const FeedTeam = named(
  'FeedTeam',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the team.', examples: [4] }),
      name: Type.String({ description: 'Its name.' }),
    },
    { description: 'A team.' },
  ),
);

const reactionKinds = ['WARM', 'WELL_DONE', 'WOW', 'SMILE'] as const;
export type ReactionKind = (typeof reactionKinds)[number];
const reactionKind = oneOf([...reactionKinds], {
  description: 'A reaction: warm, well done, wow, made me smile.',
  examples: ['WARM'],
});

const ReactionCounts = named(
  'ReactionCounts',
  Type.Object(
    Object.fromEntries(
      reactionKinds.map((kind) => [kind, Type.Integer({ minimum: 0, description: `How many people chose ${kind}.` })]),
    ) as Record<ReactionKind, ReturnType<typeof Type.Integer>>,
    { description: 'How many people chose each reaction.' },
  ),
);
const reactions = ref(ReactionCounts, { description: 'How many people chose each reaction.' });
const myReactions = Type.Array(reactionKind, { description: 'Those of the caller.' });

export const FeedPost = named(
  'FeedPost',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the post, and of its first shoutout.', examples: [42] }),
      createdAt: aMoment('When it was given.'),
      status: oneOf(['PENDING', 'APPROVED', 'DECLINED'], {
        description: 'PENDING: it waits for approval. The sender alone sees a post that is not APPROVED.',
      }),
      sender: ref(FeedPerson, { description: 'Who thanks.' }),
      receivers: Type.Array(ref(FeedPerson), { description: 'The first six, the caller first.' }),
      receiverCount: Type.Integer({ minimum: 1, description: 'How many people are thanked.' }),
      team: nullableRef(FeedTeam, { description: 'The team that is thanked as a whole; null otherwise.' }),
      reason: ref(ActivityReason, { description: 'What they are thanked for.' }),
      message: Type.String({ description: 'The text.' }),
      isPrivate: Type.Boolean({ description: 'Whether its people and approvers alone see it.' }),
      isMine: Type.Boolean({ description: 'Whether the caller gave it.' }),
      isForMe: Type.Boolean({ description: 'Whether the caller is thanked.' }),
      editedAt: aMomentOrNull('When the sender last edited it; null: never.'),
      reactions,
      myReactions,
      commentCount: Type.Integer({ minimum: 0, description: 'How many comments it has.' }),
      thankedAt: aMomentOrNull('When the caller replied with a thank-you note; null: not yet.'),
      gift: nullableRef(PostGift, {
        description:
          'Gifts that come with it. Its sender and the people who are thanked see that; others only if the workspace and the sender show it. Null: none.',
      }),
    },
    { description: 'A shoutout to one or several people, as the caller sees it. It never has an amount.' },
  ),
);
export type FeedPost = Static<typeof FeedPost>;

export const FeedQuery = strictQuery({
  filter: oneOf(['ALL', 'MY_TEAM', 'MY_LOCATION'], {
    default: 'ALL',
    description: 'Whose recognition: of all, or of people in the team or at the location of the caller.',
  }),
  reasonId: Type.Optional(anId('Lists posts with this reason.', 3)),
  ...pages,
});
export type FeedQuery = Static<typeof FeedQuery>;

export const FeedPage = named(
  'FeedPage',
  Type.Object(
    { posts: Type.Array(ref(FeedPost), { description: 'The newest first.' }), next },
    { description: 'A page of the feed.' },
  ),
);
export type FeedPage = Static<typeof FeedPage>;

export const MyShoutoutsQuery = strictQuery({
  direction,
  ...pages,
});
export type MyShoutoutsQuery = Static<typeof MyShoutoutsQuery>;

export const MyShoutouts = named(
  'MyShoutouts',
  Type.Object(
    {
      posts: Type.Array(ref(FeedPost), { description: 'The newest first.' }),
      total: Type.Integer({ minimum: 0, description: 'How many there are.' }),
      next,
    },
    { description: 'A page of what the caller received or gave.' },
  ),
);
export type MyShoutouts = Static<typeof MyShoutouts>;

export const PostParams = Type.Object({ id: anId('The id of the post.', 42) });
export const ReactionParams = Type.Object({ id: anId('The id of the post.', 42), kind: reactionKind });
export const CommentParams = Type.Object({ id: anId('The id of the comment.', 7) });
export const FeedListQuery = strictQuery(pages);
export type FeedListQuery = Static<typeof FeedListQuery>;
export const ReactionQuery = strictQuery({ kind: reactionKind, ...pages });

export const NewPost = named(
  'NewPost',
  Type.Object(
    {
      to: Type.Array(
        Type.Object(
          {
            memberId: Type.Optional(anId('A person.', 17)),
            teamId: Type.Optional(anId('All people of a team, without the sender.', 4)),
          },
          { description: 'A person or a team: one of the two.' },
        ),
        { minItems: 1, maxItems: 50, description: 'Who is thanked: up to 200 people.' },
      ),
      message: text('What they did. Its length counts after trimming.', 'Thank you for the launch!'),
      reasonId,
      isPrivate: Type.Boolean({ default: false, description: 'Whether its people and approvers alone may see it.' }),
      gift: Type.Optional(
        ref(NewPostGift, {
          description:
            'A gift for each of them, all or none with the post. Budgets and rules of the workspace apply. A private post has none.',
        }),
      ),
    },
    {
      description: 'A shoutout to one or several people, or to a team.',
      examples: [{ to: [{ memberId: 17 }], message: 'Thank you for the launch!', isPrivate: false }],
      required: ['to', 'message'],
    },
  ),
);
export type NewPost = Static<typeof NewPost>;

export const PostChange = named(
  'PostChange',
  Type.Partial(
    Type.Object({
      message: text('The new text.', 'Thank you for the launch and the cake!'),
      reasonId: anId('Another reason.', 1),
      isPrivate: Type.Boolean({ description: 'True makes it private. A private post stays private.' }),
    }),
    { description: 'What to change; fields that are left out stay.', examples: [{ message: 'Thank you all!' }] },
  ),
);
export type PostChange = Static<typeof PostChange>;

export const Reactions = named(
  'Reactions',
  Type.Object({ reactions, myReactions }, { description: 'The reactions to a post.' }),
);
export type Reactions = Static<typeof Reactions>;

export const FeedPeople = named(
  'FeedPeople',
  Type.Object({ people: Type.Array(ref(FeedPerson), { description: 'By id.' }), next }, { description: 'People.' }),
);
export type FeedPeople = Static<typeof FeedPeople>;

export const FeedComment = named(
  'FeedComment',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the comment.', examples: [7] }),
      author: ref(FeedPerson, { description: 'Who wrote it.' }),
      text: Type.String({ description: 'The text.' }),
      createdAt: aMoment('When it was written.'),
      editedAt: aMomentOrNull('When it was last edited; null: never.'),
      isMine: Type.Boolean({ description: 'Whether the caller wrote it.' }),
    },
    { description: 'A comment on a post.' },
  ),
);
export type FeedComment = Static<typeof FeedComment>;

export const FeedComments = named(
  'FeedComments',
  Type.Object(
    { comments: Type.Array(ref(FeedComment), { description: 'The oldest first.' }), next },
    { description: 'A page of comments.' },
  ),
);
export type FeedComments = Static<typeof FeedComments>;

export const CommentText = named(
  'CommentText',
  Type.Object(
    { text: text('The text. Its length counts after trimming.', 'So well deserved.') },
    { description: 'The text of a comment or of a thank-you note.', examples: [{ text: 'So well deserved.' }] },
  ),
);

const Thanks = named(
  'FeedThanks',
  Type.Object(
    {
      from: ref(FeedPerson, { description: 'Who replied.' }),
      text: Type.String({ description: 'The thank-you note.' }),
      at: aMoment('When.'),
    },
    { description: 'A thank-you note to the sender of a post.' },
  ),
);
export const ThanksList = named(
  'FeedThanksList',
  Type.Object(
    { thanks: Type.Array(ref(Thanks), { description: 'The oldest first.' }) },
    { description: 'Thank-you notes: to the sender all of them, to others their own.' },
  ),
);
export type ThanksList = Static<typeof ThanksList>;

export const feedSchemas = [
  ReactionCounts,
  FeedPerson,
  FeedTeam,
  FeedPost,
  FeedPage,
  MyShoutouts,
  NewPost,
  PostChange,
  Reactions,
  FeedPeople,
  FeedComment,
  FeedComments,
  CommentText,
  Thanks,
  ThanksList,
];
