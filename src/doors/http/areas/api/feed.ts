import { findColleagues } from '../../../../giving/feed/colleagues.ts';
import { addComment, changeComment, deleteComment, listComments } from '../../../../giving/feed/comments.ts';
import { editPost, giveNewPost } from '../../../../giving/feed/give.ts';
import { checkPostGift, readMyGiving } from '../../../../giving/feed/my-giving.ts';
import { listReactions, listReceivers, react } from '../../../../giving/feed/reactions.ts';
import { readFeed, readPost } from '../../../../giving/feed/read.ts';
import { deletePost } from '../../../../giving/recognition/post-changes.ts';
import { listReasons } from '../../../../giving/recognition/reasons.ts';
import { ColleagueQuery, Colleagues, colleagueSchemas } from '../../../../ground/contract/colleagues.ts';
import {
  CommentParams,
  CommentText,
  FeedComment,
  FeedComments,
  FeedListQuery,
  FeedPage,
  FeedPeople,
  FeedPost,
  FeedQuery,
  feedSchemas,
  NewPost,
  PostChange,
  PostParams,
  ReactionParams,
  ReactionQuery,
  Reactions,
} from '../../../../ground/contract/feed.ts';
import { feedModerationSchemas } from '../../../../ground/contract/feed-moderation.ts';
import { feedScreenSchemas } from '../../../../ground/contract/feed-screen.ts';
import { MyGiving, PostGiftCheck, postGiftSchemas } from '../../../../ground/contract/post-gift.ts';
import { ReasonList } from '../../../../ground/contract/reason.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { invalid } from '../../../../ground/errors.ts';
import { feedModerationRoutes } from './feed-moderation.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';

const feedRoutes: Routes = async (app, options) => {
  const { lookUps, people, steps, trial } = options;
  const giving = { database: people, steps: steps.shoutouts, acceptSteps: steps.accept };

  operation(app, 'givePost', 'POST /posts', 'feed:write', {
    summary: 'Thank one or several people',
    description:
      'A shoutout to each of them in one post, all or none, with one approval. It is APPROVED, or PENDING if the workspace asks for approval. Its sender is the member that the caller acts as. With a gift, it is PENDING until the gifts are issued, and comes with them: budgets and rules of the workspace apply to them as to every order.',
    body: NewPost,
    returns: created('The post.', FeedPost),
    fails: [402],
    handler: ({ grant, actor, caller: { workspace, callerId }, body }) => {
      const tokenId = grant.token || grant.session?.user ? callerId : null;
      return giveNewPost(giving, { tokenId, callerId, actor, workspace }, body);
    },
  });

  operation(app, 'checkPostGift', 'POST /posts/check', 'feed:write', {
    summary: 'Try a post with gifts',
    description:
      'What would become of it, without giving it: what it costs, why it would be refused, and which rule lets it wait.',
    body: NewPost,
    returns: json('What would become of it.', PostGiftCheck),
    changesNothing: true,
    handler: ({ caller, body: { gift, ...post } }) => {
      if (!gift) throw invalid([{ path: 'gift', problem: 'is required' }]);
      return checkPostGift({ on: lookUps, trial }, caller, { ...post, gift });
    },
  });

  operation(app, 'getMyGiving', 'GET /giving', 'feed:read', {
    summary: 'Get what you can give',
    description:
      'What the caller can give together with posts: a budget of their own, or what is left of the month in a shared budget with a cap for each person. In one currency each.',
    query: noQuery,
    returns: json('What the caller can give.', MyGiving),
    handler: ({ caller }) => readMyGiving(lookUps, caller.workspace),
  });

  operation(app, 'listFeed', 'GET /', 'feed:read', {
    summary: 'List the feed',
    description:
      'Who recognized whom, the newest first: public shoutouts, and the private ones that the caller gave or received. A filter by a large group may return fewer posts than the size although there are more: `next` says so.',
    query: FeedQuery,
    returns: json('A page of the feed.', FeedPage),
    handler: ({ caller, query }) => readFeed(lookUps, caller.workspace, query),
  });

  operation(app, 'listColleagues', 'GET /colleagues', 'feed:read', {
    summary: 'Find colleagues',
    description: 'People and teams that can be thanked. People who have left are not among them.',
    query: ColleagueQuery,
    returns: json('People and teams.', Colleagues),
    handler: ({ caller, query }) => findColleagues(lookUps, caller.workspace, query),
  });

  operation(app, 'listFeedReasons', 'GET /reasons', 'feed:read', {
    summary: 'List reasons to thank',
    description:
      'What people can be thanked for, the default first: all reasons of the workspace that are not retired.',
    query: noQuery,
    returns: json('All reasons.', ReasonList),
    handler: async ({ caller }) => ({ reasons: await listReasons(lookUps, caller.workspace.workspaceId) }),
  });

  operation(app, 'getPost', 'GET /posts/:id', 'feed:read', {
    summary: 'Get a post',
    description: 'One post. A private post of others does not exist for the caller.',
    params: PostParams,
    returns: json('The post.', FeedPost),
    handler: ({ caller, params }) => readPost(lookUps, caller.workspace, params.id),
  });

  operation(app, 'changePost', 'PATCH /posts/:id', 'feed:write', {
    summary: 'Edit your post',
    description:
      'The sender alone. The text of a post that waits for approval does not change, nor in a workspace that asks for approval that of an approved one: 409.',
    params: PostParams,
    body: PostChange,
    returns: json('The post.', FeedPost),
    fails: [409],
    handler: ({ caller, params, body }) => editPost(giving, caller.workspace, params.id, body),
  });

  operation(app, 'deletePost', 'DELETE /posts/:id', 'feed:write', {
    summary: 'Delete your post',
    description:
      'The sender alone. A post that waits is withdrawn. One that was given leaves the feed, and its text is removed; that the people were recognized still counts.',
    params: PostParams,
    returns: nothing('The post is deleted.'),
    fails: [409],
    handler: ({ caller, params }) => deletePost(people, steps.shoutouts, caller.workspace, params.id),
  });

  operation(app, 'listPostReceivers', 'GET /posts/:id/receivers', 'feed:read', {
    summary: 'List who is thanked',
    description: 'All people whom the post thanks.',
    params: PostParams,
    query: FeedListQuery,
    returns: json('A page of people.', FeedPeople),
    handler: ({ caller, params, query }) => listReceivers(lookUps, caller.workspace, params.id, query),
  });

  operation(app, 'listReactions', 'GET /posts/:id/reactions', 'feed:read', {
    summary: 'List who reacted',
    description: 'The people who chose one reaction.',
    params: PostParams,
    query: ReactionQuery,
    returns: json('A page of people.', FeedPeople),
    handler: ({ caller, params, query: { kind, ...page } }) =>
      listReactions(lookUps, caller.workspace, params.id, { kind: kind ?? 'WARM', ...page }),
  });

  for (const [verb, isOn] of [
    ['add', true],
    ['remove', false],
  ] as const)
    operation(app, `${verb}Reaction`, `${isOn ? 'PUT' : 'DELETE'} /posts/:id/reactions/:kind`, 'feed:write', {
      summary: isOn ? 'React to a post' : 'Take a reaction back',
      description: 'Each person has one of each kind. Repeating it changes nothing.',
      params: ReactionParams,
      returns: json('The reactions.', Reactions),
      handler: ({ caller, params }) => react(people, caller.workspace, params, isOn),
    });

  operation(app, 'listComments', 'GET /posts/:id/comments', 'feed:read', {
    summary: 'List comments',
    description: 'The oldest first.',
    params: PostParams,
    query: FeedListQuery,
    returns: json('A page of comments.', FeedComments),
    handler: ({ caller, params, query }) => listComments(lookUps, caller.workspace, params.id, query),
  });

  operation(app, 'addComment', 'POST /posts/:id/comments', 'feed:write', {
    summary: 'Comment on a post',
    description: 'Everyone who may see the post reads it.',
    params: PostParams,
    body: CommentText,
    returns: created('The comment.', FeedComment),
    handler: ({ caller, params, body }) => addComment(people, caller.workspace, params.id, body.text),
  });

  operation(app, 'changeComment', 'PATCH /comments/:id', 'feed:write', {
    summary: 'Edit your comment',
    description: 'The author alone.',
    params: CommentParams,
    body: CommentText,
    returns: json('The comment.', FeedComment),
    handler: ({ caller, params, body }) => changeComment(people, caller.workspace, params.id, body.text),
  });

  operation(app, 'deleteComment', 'DELETE /comments/:id', 'feed:write', {
    summary: 'Delete your comment',
    description: 'The author alone.',
    params: CommentParams,
    returns: nothing('The comment is deleted.'),
    handler: ({ caller, params }) => deleteComment(people, caller.workspace, params.id),
  });

  await feedModerationRoutes(app, options);
};

export const feed: Resource = {
  prefix: '/feed',
  tag: { name: 'Feed', description: 'Recognition between employees: posts, reactions, comments.' },
  schemas: [...feedScreenSchemas, ...postGiftSchemas, ...feedSchemas, ...colleagueSchemas, ...feedModerationSchemas],
  routes: feedRoutes,
};
