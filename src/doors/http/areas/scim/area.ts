import type { FastifyInstance } from 'fastify';
import { scimError } from '../../../../company/scim/failure.ts';
import { scimSchemas } from '../../../../ground/contract/scim.ts';
import { Failure } from '../../../../ground/errors.ts';
import type { Area } from '../../area.ts';
import { readJsonBody } from '../../body/json-body.ts';
import { type AuthenticateBy, type WorkspaceIdOf, workspaceOfHeader } from '../../callers/authenticate.ts';
import { tidyScimAddress } from './address.ts';
import { type ScimOptions, scimRoutes } from './routes.ts';

export type { ScimOptions };

/** SCIM 2.0, for identity providers: bearer tokens of a single workspace, errors and media type of RFC 7644. */
export function scimArea(options: ScimOptions, authenticateBy: AuthenticateBy): Area {
  return {
    prefix: '/scim',
    authenticate: authenticateBy(workspaceOfToken),
    errors: {
      contentType: 'application/scim+json; charset=utf-8',
      write: (status, failure) => ({ body: JSON.stringify(scimError(status, failure.message, failure)) }),
    },
    tidyAddress: tidyScimAddress,
    schemas: scimSchemas,
    tags: [{ name: 'SCIM', description: 'SCIM 2.0: an identity provider keeps people and teams up to date.' }],
    async plugin(app) {
      readScimBodies(app);
      app.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, security: [{ token: [] }] };
      });
      // The schemas of these routes are for readers of the document: the rules of SCIM check the requests.
      app.setValidatorCompiler(() => () => true);
      app.setSerializerCompiler(() => JSON.stringify);
      await app.register(scimRoutes, { prefix: '/v2', ...options });
    },
  };
}

/** Identity providers do not send our header, so the token says which workspace it is. */
const workspaceOfToken: WorkspaceIdOf = (request, { workspaces }) => {
  if (workspaces.length > 1)
    throw new Failure('forbidden', 'This token is for several workspaces: create one for a single workspace.');
  const isNamed = request.headers['x-workspace-id'] !== undefined;
  return isNamed ? workspaceOfHeader(request) : workspaces[0]?.workspaceId;
};

/** SCIM has its own media type, and clients also send JSON's. The body of a DELETE is ignored. */
function readScimBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    ['application/json', 'application/scim+json'],
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (request.method === 'DELETE') done(null, undefined);
      else readJsonBody(request, body, request.route.maxValues, done);
    },
  );
}
