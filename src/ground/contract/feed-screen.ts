import Type, { type Static } from 'typebox';
import { aMoment, anId, named, ref } from './schema.ts';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'text',
  description: 'Where it hangs.',
  examples: ['Canteen in Halifax'],
});

const fields = {
  id: Type.Integer({ description: 'The id of the screen.', examples: [3] }),
  name,
  createdAt: aMoment('When its link was created.'),
};

export const FeedScreen = named(
  'FeedScreen',
  Type.Object(fields, { description: 'A screen that shows the latest public shoutouts, without its link.' }),
);
export type FeedScreen = Static<typeof FeedScreen>;

export const NewFeedScreen = named(
  'NewFeedScreen',
  Type.Object({ name }, { description: 'A screen to create.', examples: [{ name: 'Canteen in Halifax' }] }),
);

export const CreatedFeedScreen = named(
  'CreatedFeedScreen',
  Type.Object(
    {
      ...fields,
      link: Type.String({
        description:
          'The link of its page, without the address of this server, with the secret behind #. It is shown once.',
        examples: ['/my/1/tv#s3cr3t'],
      }),
    },
    { description: 'A screen, with its link.' },
  ),
);
export type CreatedFeedScreen = Static<typeof CreatedFeedScreen>;

export const FeedScreens = named(
  'FeedScreens',
  Type.Object(
    { screens: Type.Array(ref(FeedScreen), { description: 'The oldest first.' }) },
    { description: 'All screens.' },
  ),
);
export type FeedScreens = Static<typeof FeedScreens>;

export const ScreenParams = Type.Object({ id: anId('The id of the screen.', 3) });

export const feedScreenSchemas = [FeedScreen, NewFeedScreen, CreatedFeedScreen, FeedScreens];
