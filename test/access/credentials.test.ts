import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { makeSecret } from '../../src/company/access/token-secret.ts';
import { revokeToken } from '../../src/company/access/tokens.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();

test('a 401 says what is wrong with the credential, and unknown and revoked tokens are alike', async () => {
  const path = `/api/v1/orders/status/${randomUUID()}`;
  const said = async (headers: Record<string, string>) => {
    const answer = await service.call(path, { token: null, headers, workspace: service.workspaceId });
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    return refusal(answer, 401);
  };
  const bearer = (token: string) => said({ Authorization: `Bearer ${token}` });
  const { id, token } = await service.addToken({});
  assert.match(await said({}), /^No credential was sent: send "Authorization: Bearer <token>"/);
  assert.match(await said({ Authorization: 'Basic YTpi' }), /^The Authorization header is not of the form/);
  assert.match(await bearer(makeSecret('production')), /^The token is for the other environment/);
  assert.match(await bearer('abc'), /^This is not a token of Giftwire/);
  assert.match(await bearer(token.slice(0, -1)), /^The token is mistyped or not complete/);
  const unknown = await bearer(makeSecret('test'));
  assert.match(unknown, /^The token is unknown or was revoked/);
  await service.database.transaction((tx) => revokeToken(tx, theService, id));
  await eventually(
    () => bearer(token).catch(() => ''),
    (message) => message === unknown,
  );
});

test('a path of the API with a slash at the end is the same path, with its query', async () => {
  const path = '/api/v1/members';
  const plain = await service.call(`${path}?size=1&search=a%2F`);
  const slashed = await service.call(`${path}/?size=1&search=a%2F`);
  assert.deepEqual([slashed.status, slashed.body], [200, plain.body]);
  assert.match(refusal(await service.call('/api/v1/nothing/'), 404), /This path does not exist/);
});
