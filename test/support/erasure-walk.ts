import { asPerson } from './prism.ts';
import type { TestService } from './service.ts';
import { signIn } from './sign-in.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every form are read here.
type Step = (operationId: string, expected: number, sent?: any) => Promise<any>;

/** Every operation about the erasure of a member, with success and with an error. */
export async function walkErasure(service: TestService, step: Step, workspaceId: number, path: object): Promise<void> {
  const unknown = { id: 999_999_999 };
  await step('getMemberData', 200, { path });
  await step('getMemberData', 404, { path: unknown });
  await step('previewErasure', 200, { path });
  await step('previewErasure', 404, { path: unknown });
  await step('placeHold', 200, { path, body: { reason: 'Case 2027-14' } });
  await step('placeHold', 400, { path, body: { reason: ' ' } });
  await step('getMemberRights', 200, { path });
  await step('getMemberRights', 404, { path: unknown });
  await step('restrictMember', 200, { path, body: { reason: 'Asked for it' } });
  await step('restrictMember', 400, { path, body: { reason: ' ' } });
  await step('liftRestriction', 204, { path });
  await step('liftRestriction', 409, { path });
  await step('releaseHold', 204, { path });
  await step('releaseHold', 409, { path });
  await step('requestErasure', 200, { path });
  await step('requestErasure', 409, { path });
  await step('listErasures', 200, { query: '?size=5' });
  await step('listErasures', 400, { query: '?who=1' });
  await step('stopErasure', 200, { path });
  await step('stopErasure', 409, { path });
  await step('confirmErasure', 403, { path });
  await step('listErasures', 200, { query: '?state=TO_CONFIRM' });
  await step('changeSettings', 200, { body: { erasureNeedsTwo: true } });
  await step('requestErasure', 200, { path });
  const second = asPerson(service, await signIn(service, { workspace: workspaceId }));
  await step('confirmErasure', 200, { ...second, path });
  await step('confirmErasure', 409, { ...second, path });
}

/** Operations that are tried one after the other about the same member. */
export const aboutOneMember = [
  ...[
    'getMemberData',
    'previewErasure',
    'placeHold',
    'restrictMember',
    'getMemberRights',
    'liftRestriction',
    'releaseHold',
    'requestErasure',
    'stopErasure',
  ],
  ...['changeMember', 'leaveMember', 'returnMember', 'splitMember', 'mergeMember'],
];
