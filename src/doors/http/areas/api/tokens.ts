import type { Grant } from '../../../../company/access/grants.ts';
import { listTokensOf, readTokenOf } from '../../../../company/access/list-tokens.ts';
import { mayGive } from '../../../../company/access/list-users.ts';
import { checkPersonalToken } from '../../../../company/access/personal-tokens.ts';
import { scopes as everyScope, type Scope, usualScopes } from '../../../../company/access/scopes.ts';
import { createToken, revokeToken, rotateToken, type TokenRecord } from '../../../../company/access/tokens.ts';
import * as Tokens from '../../../../ground/contract/token.ts';
import { Failure, invalid } from '../../../../ground/errors.ts';
import { naming } from './naming.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

const tokenRoutes: Routes = async (app, { environment, reports, people }) => {
  operation(app, 'listTokens', 'GET /', 'audit:read', {
    summary: 'List tokens',
    description: 'The tokens that may use this workspace, without their secrets. An unknown parameter gives 400.',
    query: Tokens.TokenQuery,
    returns: json('A page of tokens, and where the next page begins.', Tokens.TokenPage),
    handler: async ({ workspaceId, query }) => {
      const { tokens, next } = await listTokensOf(reports, workspaceId, query);
      return { tokens: tokens.map((one) => ({ ...shown(one), requestsByDay: one.requestsByDay })), next };
    },
  });

  operation(app, 'makeToken', 'POST /', 'tokens:manage', {
    returnsSecret: true,
    summary: 'Create a token',
    description: 'For this workspace. Its secret is in this answer and nowhere else.',
    body: Tokens.NewToken,
    returns: created('The token with its secret.', Tokens.TokenWithSecret),
    handler: async ({ caller, actor, grant, body }) => {
      const { workspaceId, scopes: own } = caller.workspace;
      const { name, member, expiresInDays, rateLimitPerMinute = null } = body;
      const scopes = body.scopes ?? usualScopes.filter((scope) => own.includes(scope));
      if (scopes.length === 0) throw invalid([{ path: 'scopes', problem: noUsualScopes }]);
      checkScopes(grant, workspaceId, scopes);
      const { token, ...made } = await people.transaction(async (tx) => {
        const issued = await naming('member', () =>
          createToken(tx, actor, environment, {
            name,
            scopes,
            workspaces: [workspaceId],
            lastsMs: expiresInDays === undefined ? null : expiresInDays * dayMs,
            rateLimitPerMinute,
            ...(member !== undefined && { actsAs: member }),
          }),
        );
        await checkPersonalToken(tx, grant, issued);
        return issued;
      });
      return { ...shown(made), token };
    },
  });

  operation(app, 'rotateToken', 'POST /:id/rotate', 'tokens:manage', {
    returnsSecret: true,
    bodyIsOptional: true,
    summary: 'Rotate the secret of a token',
    description:
      'Creates a token with the same rights and ends the old one, at once or after an overlap. The secret is in this response and nowhere else.',
    params: Tokens.TokenParams,
    body: Tokens.TokenRotation,
    returns: json('The new token with its secret.', Tokens.TokenWithSecret),
    fails: [409],
    handler: async ({ workspaceId, actor, grant, params, body }) => {
      const { token, ...rotated } = await people.transaction(async (tx) => {
        const old = await readTokenOf(tx, workspaceId, params.id);
        checkRule(grant, old);
        await checkPersonalToken(tx, grant, old);
        return rotateToken(tx, actor, environment, params.id, (body.overlapHours ?? 0) * hourMs);
      });
      return { ...shown(rotated), token };
    },
  });

  operation(app, 'revokeToken', 'DELETE /:id', 'tokens:manage', {
    summary: 'Revoke a token',
    description: 'Every node refuses it within a second.',
    params: Tokens.TokenParams,
    returns: nothing('The token has ended.'),
    handler: ({ workspaceId, actor, grant, params }) =>
      people.transaction(async (tx) => {
        const token = await readTokenOf(tx, workspaceId, params.id);
        checkRule(grant, token);
        await revokeToken(tx, actor, token.id);
      }),
  });
};

const noUsualScopes =
  'is required, because you have only scopes that a token gets if they are named: for example tokens:manage or users:manage';

/** A token of several workspaces is the business of those who may manage tokens in all of them. */
function checkRule(grant: Grant, { workspaces, scopes }: TokenRecord): void {
  if (!workspaces.every((id) => mayGive(grant, id, ['tokens:manage', ...scopes])))
    throw new Failure('forbidden', 'This token may do more than you, here or in another workspace.');
}

function checkScopes(grant: Grant, workspaceId: number, scopes: readonly string[]): void {
  const unknown = scopes.filter((scope) => !everyScope.includes(scope as Scope));
  if (unknown.length > 0) throw invalid([{ path: 'scopes', problem: `has ${unknown.join(', ')}, which is no scope` }]);
  if (!mayGive(grant, workspaceId, scopes))
    throw new Failure('forbidden', 'You may not give a token more than you may do yourself.');
}

function shown(record: TokenRecord) {
  const { id, name, hint, scopes, workspaces, rateLimitPerMinute, createdAt, lastUsedAt, expiresAt, revokedAt } =
    record;
  return {
    ...{ id, name, hint, scopes, workspaces, rateLimitPerMinute },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

export const tokens: Resource = {
  prefix: '/tokens',
  tag: { name: 'Tokens', description: 'API tokens of the workspace.' },
  schemas: Tokens.tokenSchemas,
  routes: tokenRoutes,
};
