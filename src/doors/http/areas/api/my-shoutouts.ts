import { readMine } from '../../../../giving/feed/read.ts';
import { listThanks, thankFor } from '../../../../giving/feed/thanks.ts';
import {
  CommentText,
  MyShoutouts,
  MyShoutoutsQuery,
  PostParams,
  ThanksList,
} from '../../../../ground/contract/feed.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json } from './returns.ts';

const myShoutoutRoutes: Routes = async (app, { lookUps, people }) => {
  operation(app, 'listMyShoutouts', 'GET /', 'me:read', {
    summary: 'List your shoutouts',
    description: 'What the caller received or gave, the newest first.',
    query: MyShoutoutsQuery,
    returns: json('A page of posts.', MyShoutouts),
    handler: ({ caller, query }) => readMine(lookUps, caller.workspace, query),
  });

  operation(app, 'thankForShoutout', 'POST /:id/thank', 'me:write', {
    summary: 'Reply with a thank-you note',
    description: 'Of a person who is thanked, once. Its sender reads it.',
    params: PostParams,
    body: CommentText,
    returns: created('The note.', ThanksList),
    fails: [409],
    handler: ({ caller, params, body }) => thankFor(people, caller.workspace, params.id, body.text),
  });

  operation(app, 'listShoutoutThanks', 'GET /:id/thanks', 'me:read', {
    summary: 'Read thank-you notes',
    description: 'The sender of a post reads all of them, others their own.',
    params: PostParams,
    returns: json('The notes.', ThanksList),
    handler: ({ caller, params }) => listThanks(lookUps, caller.workspace, params.id),
  });
};

export const myShoutouts: Resource = {
  prefix: '/me/shoutouts',
  tag: { name: 'My shoutouts', description: 'What the caller received and gave.' },
  schemas: [],
  routes: myShoutoutRoutes,
};
