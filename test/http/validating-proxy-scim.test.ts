import { test } from 'node:test';
import { readDocument } from '../support/openapi.ts';
import { openWalk } from '../support/prism.ts';
import { enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, {
  people: [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', employeeNumber: '1' }],
});
const { token: scopeless } = await service.addToken({ workspaces: [workspace.id], scopes: [] });
const { step, checkComplete } = await openWalk(service, workspace, await readDocument());
const unknownId = { id: 999_999_999 };

const patch = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const search = (filter: string) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter });

test('what a SCIM client discovers is as the document says', async () => {
  await step('scimGetServiceProviderConfig', 200);
  await step('scimGetServiceProviderConfig', 403, { token: scopeless });
  for (const [list, one] of [
    ['scimGetSchemas', 'scimGetSchemasById'],
    ['scimGetResourceTypes', 'scimGetResourceTypesById'],
  ] as const) {
    const { Resources } = await step(list, 200);
    await step(list, 401, { token: 'wrong' });
    for (const { id } of Resources) await step(one, 200, { path: { id } });
    await step(one, 404, { path: { id: 'Nothing' } });
  }
});

test('SCIM users are as the document says', async () => {
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    userName: 'ida@example.com',
    name: { givenName: 'Ida', familyName: 'Brandt' },
    emails: [{ value: 'ida@example.com', type: 'work' }],
    [enterprise]: { employeeNumber: '77', manager: { value: String(workspace.memberIds[0]) } },
  };
  const path = (await step('scimCreateUser', 201, { body: user })) as { id: string };
  await step('scimCreateUser', 409, { body: user });
  await step('scimGetUsers', 200);
  await step('scimGetUsers', 200, { query: `?filter=${encodeURIComponent('userName eq "ida@example.com"')}&count=1` });
  await step('scimGetUsers', 400, { query: '?filter=userName' });
  await step('scimGetUser', 200, { path });
  await step('scimGetUser', 404, { path: unknownId });
  await step('scimReplaceUser', 200, { path, body: { ...user, displayName: 'Ida B.' } });
  await step('scimReplaceUser', 412, { path, body: user, headers: { 'If-Match': 'W/"other"' } });
  await step('scimChangeUser', 200, { path, body: patch({ op: 'replace', path: 'active', value: false }) });
  await step('scimChangeUser', 404, { path: unknownId, body: patch({ op: 'replace', path: 'active', value: false }) });
  await step('scimSearchUsers', 200, { body: search('active eq true') });
  await step('scimSearchUsers', 400, { body: search('active') });
  await step('scimRemoveUser', 204, { path });
  await step('scimRemoveUser', 404, { path: unknownId });
});

test('SCIM groups are as the document says', async () => {
  const member = { value: String(workspace.memberIds[0]) };
  const group = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Platform',
    members: [member],
  };
  const path = (await step('scimCreateGroup', 201, { body: group })) as { id: string };
  await step('scimCreateGroup', 409, { body: group });
  await step('scimGetGroups', 200);
  await step('scimGetGroups', 400, { query: '?filter=displayName' });
  await step('scimGetGroup', 200, { path });
  await step('scimGetGroup', 404, { path: unknownId });
  await step('scimReplaceGroup', 200, { path, body: { ...group, displayName: 'Core' } });
  await step('scimReplaceGroup', 404, { path: unknownId, body: group });
  await step('scimChangeGroup', 204, { path, body: patch({ op: 'remove', path: 'members' }) });
  await step('scimChangeGroup', 200, {
    path,
    body: patch({ op: 'add', path: 'members', value: [member] }),
    query: '?attributes=displayName,members',
  });
  await step('scimChangeGroup', 404, { path: unknownId, body: patch({ op: 'remove', path: 'members' }) });
  await step('scimSearchGroups', 200, { body: search('displayName sw "C"') });
  await step('scimSearchGroups', 400, { body: search('displayName') });
  await step('scimSearchAll', 200, { body: search('displayName pr') });
  await step('scimSearchAll', 403, { body: search('displayName pr'), token: scopeless });
  await step('scimRemoveGroup', 204, { path });
  await step('scimRemoveGroup', 404, { path: unknownId });
});

test('the walk called every operation of SCIM, with success and with an error', () => {
  checkComplete(({ path }) => path.startsWith('/scim/'));
});
