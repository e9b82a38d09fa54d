import assert from 'node:assert/strict';
import type { FeedPage, FeedPost, MyShoutouts } from '../../src/ground/contract/feed.ts';
import type { Answer, TestService } from './service.ts';
import { signIn } from './sign-in.ts';
import { openWorkspace } from './workspace.ts';

/** A person who is signed in, and what they do in the feed. */
export type Colleague = Awaited<ReturnType<typeof openCompany>>['people'][number];

interface Opening {
  asksForApproval?: boolean;
  /** Other fields of each person, such as the location. */
  fields?: readonly object[];
}

/** A workspace whose people are signed in. None of them may approve shoutouts, unless `approver` is. */
export async function openCompany(
  service: TestService,
  names: readonly string[],
  { fields = [], ...opening }: Opening = {},
) {
  const workspace = await openWorkspace(service, {
    people: names.map((name, nth) => ({ email: `${name}@example.com`, firstName: name, ...fields[nth] })),
    ...opening,
  });
  const people = [];
  for (const [nth, name] of names.entries()) {
    const role = name === 'approver' ? 'PEOPLE_TEAM' : 'MANAGER';
    const { call } = await signIn(service, { role, email: `${name}@example.com`, workspace: workspace.id });
    const id = workspace.memberIds[nth] as number;
    people.push({ id, name, call, ...actions(call) });
  }
  return { workspace, people };
}

function actions(call: <Body>(path: string, asked?: object) => Promise<Answer<Body>>) {
  const ask = async <Body>(status: number, path: string, method = 'GET', body?: object): Promise<Body> => {
    const answer = await call<Body>(`/api/v1${path}`, { method, ...(body && { body }) });
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ask,
    give: (to: readonly number[], post: object = {}) =>
      ask<FeedPost>(201, '/feed/posts', 'POST', {
        to: to.map((memberId) => ({ memberId })),
        message: 'Thank you!',
        ...post,
      }),
    feed: (query = '') => ask<FeedPage>(200, `/feed${query}`),
    mine: (direction: string) => ask<MyShoutouts>(200, `/me/shoutouts?direction=${direction}`),
  };
}
