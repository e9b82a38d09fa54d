import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import type { Grant } from '../../../../company/access/grants.ts';
import { listTokensOf, readTokenOf } from '../../../../company/access/list-tokens.ts';
import { mayGive } from '../../../../company/access/list-users.ts';
import { scopes as everyScope, type Scope, usualScopes } from '../../../../company/access/scopes.ts';
import { createToken, revokeToken, rotateToken, type TokenRecord } from '../../../../company/access/tokens.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import * as Tokens from '../../../../ground/contract/token.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { Failure, invalid } from '../../../../ground/errors.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { naming } from './naming.ts';
import type { Resource } from './resource.ts';
import { tidyToken } from './tidy-access.ts';

export interface TokenOptions {
  environment: 'test' | 'production';
  reports: Queryable;
  people: Database;
}

const json = <S>(schema: S) => ({ content: { 'application/json': { schema } } });
const dayMs = 86_400_000;
const hourMs = 3_600_000;

const tokenRoutes: FastifyPluginAsyncTypebox<TokenOptions> = async (app, { environment, reports, people }) => {
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'tokens:manage' } as const;

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'audit:read' },
    schema: {
      operationId: 'listTokens',
      summary: 'List tokens',
      description: 'The tokens that may use this workspace, without their secrets. An unknown parameter gives 400.',
      headers,
      querystring: Tokens.TokenQuery,
      response: {
        200: { description: 'A page of tokens, and where to go on.', ...json(ref(Tokens.TokenPage)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, query }) => {
      const { tokens, next } = await listTokensOf(reports, caller.workspace.workspaceId, query);
      return { tokens: tokens.map(shown), next };
    },
  });

  app.route({
    method: 'POST',
    url: '',
    config,
    schema: {
      operationId: 'makeToken',
      summary: 'Make a token',
      description: 'For this workspace. Its secret is in this answer and nowhere else.',
      headers,
      body: ref(Tokens.NewToken),
      response: {
        201: { description: 'The token with its secret.', ...json(ref(Tokens.TokenWithSecret)) },
        ...problems(400, 401, 403, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyToken(request.body) as typeof request.body;
    },
    handler: async ({ caller, grant, body }, reply) => {
      const { workspaceId, scopes: own } = caller.workspace;
      const { name, member, expiresInDays, rateLimitPerMinute = null } = body;
      const scopes = body.scopes ?? usualScopes.filter((scope) => own.includes(scope));
      if (scopes.length === 0) throw invalid([{ path: 'scopes', problem: noUsualScopes }]);
      checkScopes(grant, workspaceId, scopes);
      const { token, ...made } = await people.transaction((tx) =>
        naming('member', () =>
          createToken(tx, actorOf(grant), environment, {
            name,
            scopes,
            workspaces: [workspaceId],
            lastsMs: expiresInDays === undefined ? null : expiresInDays * dayMs,
            rateLimitPerMinute,
            ...(member !== undefined && { actsAs: member }),
          }),
        ),
      );
      return reply.code(201).send({ ...shown(made), token });
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/rotate',
    config: { ...config, bodyIsOptional: true },
    schema: {
      operationId: 'rotateToken',
      summary: 'Give a token a new secret',
      description:
        'Makes a token with the same rights and ends the old one, at once or after an overlap. The secret is in this answer and nowhere else.',
      headers,
      params: Tokens.TokenParams,
      body: ref(Tokens.TokenRotation),
      response: {
        200: { description: 'The new token with its secret.', ...json(ref(Tokens.TokenWithSecret)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = (request.body ?? {}) as typeof request.body;
    },
    handler: async ({ caller, grant, params, body }) => {
      const { token, ...rotated } = await people.transaction(async (tx) => {
        const old = await readTokenOf(tx, caller.workspace.workspaceId, params.id);
        checkRule(grant, old);
        return rotateToken(tx, actorOf(grant), environment, params.id, (body.overlapHours ?? 0) * hourMs);
      });
      return { ...shown(rotated), token };
    },
  });

  app.route({
    method: 'DELETE',
    url: '/:id',
    config,
    schema: {
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description: 'Every node refuses it within a second.',
      headers,
      params: Tokens.TokenParams,
      response: {
        204: { description: 'The token has ended.', type: 'null' },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, params }, reply) => {
      await people.transaction(async (tx) => {
        const token = await readTokenOf(tx, caller.workspace.workspaceId, params.id);
        checkRule(grant, token);
        await revokeToken(tx, actorOf(grant), token.id);
      });
      return reply.code(204).send(null);
    },
  });
};

const noUsualScopes =
  'is required, because you have only scopes that a token gets if they are named: tokens:manage or users:manage';

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
  const { id, name, hint, scopes, workspaces, rateLimitPerMinute, createdAt, expiresAt, revokedAt } = record;
  return {
    ...{ id, name, hint, scopes, workspaces, rateLimitPerMinute },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

export const tokens: Resource<TokenOptions> = {
  prefix: '/tokens',
  tag: { name: 'Tokens', description: 'API tokens of the workspace.' },
  schemas: Tokens.tokenSchemas,
  routes: tokenRoutes,
};
