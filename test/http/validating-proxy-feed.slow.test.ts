import { test } from 'node:test';
import { walkFeed } from '../support/feed-walk.ts';
import { readDocument } from '../support/openapi.ts';
import { isAboutTheFeed, openWalk } from '../support/prism.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, {
  people: [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    { email: 'grace@example.com', firstName: 'Grace' },
  ],
});
const { token: scopeless } = await service.addToken({ workspaces: [workspace.id], scopes: [] });
const walk = await openWalk(service, workspace, await readDocument());

test('posts, reactions, comments, thank-you notes and moderation are as the document says', async () => {
  await walkFeed(service, walk, { workspaceId: workspace.id, memberIds: workspace.memberIds, scopeless });
});

test('the walk called every operation of the feed, with success and with an error', () => {
  walk.checkComplete(isAboutTheFeed);
});
