import { decideCase, listCases, reportComment, reportPost } from '../../../../giving/feed/moderation.ts';
import { createScreen, deleteScreen, listScreens } from '../../../../giving/feed/screens.ts';
import { CommentParams, PostParams } from '../../../../ground/contract/feed.ts';
import {
  CaseNote,
  CaseParams,
  CaseQuery,
  FeedCase,
  FeedCases,
  NewReport,
} from '../../../../ground/contract/feed-moderation.ts';
import {
  CreatedFeedScreen,
  FeedScreens,
  NewFeedScreen,
  ScreenParams,
} from '../../../../ground/contract/feed-screen.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { created, json, nothing } from './returns.ts';

/** Reports of posts and comments, what the people team does about them, and the screens that it hangs up. */
export const feedModerationRoutes: Routes = async (app, { lookUps, people, steps }) => {
  operation(app, 'reportPost', 'POST /posts/:id/report', 'feed:write', {
    summary: 'Report a post',
    description: 'The people team reads it, without the name of who reports. Reporting it again changes nothing.',
    params: PostParams,
    body: NewReport,
    returns: nothing('The post is reported.'),
    fails: [409],
    handler: ({ caller, params, body }) => reportPost(people, caller.workspace, params.id, body.why),
  });

  operation(app, 'reportComment', 'POST /comments/:id/report', 'feed:write', {
    summary: 'Report a comment',
    description: 'The people team reads it, without the name of who reports. Reporting it again changes nothing.',
    params: CommentParams,
    body: NewReport,
    returns: nothing('The comment is reported.'),
    fails: [409],
    handler: ({ caller, params, body }) => reportComment(people, caller.workspace, params.id, body.why),
  });

  operation(app, 'listFeedCases', 'GET /moderation', 'feed:moderate', {
    summary: 'List what was reported',
    description: 'Posts and comments to decide about, or the log of those that were decided.',
    query: CaseQuery,
    returns: json('A page of cases.', FeedCases),
    handler: ({ caller, query }) => listCases(lookUps, caller.workspace, query),
  });

  for (const { verb, state, ...described } of decisions)
    operation(app, `${verb}FeedCase`, `POST /moderation/:id/${verb}`, 'feed:moderate', {
      ...described,
      params: CaseParams,
      bodyIsOptional: true,
      body: CaseNote,
      returns: json('The case.', FeedCase),
      handler: ({ caller, actor, params, body }) =>
        decideCase({ database: people, steps: steps.shoutouts }, caller.workspace, actor, {
          id: params.id,
          state,
          note: body.note ?? null,
        }),
    });

  operation(app, 'listFeedScreens', 'GET /screens', 'feed:moderate', {
    summary: 'List screens',
    description: 'Screens that show the latest public shoutouts, without their links.',
    query: noQuery,
    returns: json('All screens.', FeedScreens),
    handler: async ({ workspaceId }) => ({ screens: await listScreens(lookUps, workspaceId) }),
  });

  operation(app, 'createFeedScreen', 'POST /screens', 'feed:moderate', {
    returnsSecret: true,
    summary: 'Create a screen',
    description:
      'A link to a page that shows the latest public shoutouts, full screen, without signing in: no private post, no amount, and a gift only where sender and workspace show it. Everyone who has the link reads the page. It is shown once.',
    body: NewFeedScreen,
    returns: created('The screen.', CreatedFeedScreen),
    handler: ({ workspaceId, actor, body }) =>
      people.transaction((tx) => createScreen(tx, actor, workspaceId, body.name)),
  });

  operation(app, 'deleteFeedScreen', 'DELETE /screens/:id', 'feed:moderate', {
    summary: 'Revoke a screen',
    description: 'Its link stops working. The page says so within half a minute, and shows no shoutout any more.',
    params: ScreenParams,
    returns: nothing('The link is revoked.'),
    handler: ({ workspaceId, actor, params }) =>
      people.transaction((tx) => deleteScreen(tx, actor, workspaceId, params.id)),
  });
};

const decisions = [
  {
    verb: 'hide',
    state: 'HIDDEN',
    summary: 'Hide what was reported',
    description: 'It leaves the feed. That people were recognized still counts. The audit log has who did it.',
  },
  {
    verb: 'keep',
    state: 'KEPT',
    summary: 'Keep what was reported',
    description: 'It stays in the feed, or is shown again if it was hidden. The audit log has who did it.',
  },
] as const;
