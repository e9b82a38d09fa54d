import { Failure } from '../../ground/errors.ts';
import type { CustomField } from '../../ground/values/custom-field.ts';
import type { Document } from './attributes.ts';
import { maxCount } from './list-query.ts';
import { extensionsWith, groupSchema, userExtensions, userSchema } from './schemas.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0';
const unsupported = { supported: false };

/** What a client has to know before it begins. */
export function serviceProviderConfig(base: string): Document {
  return {
    schemas: [`${core}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxCount },
    changePassword: unsupported,
    sort: unsupported,
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'API token',
        description: 'A token for one workspace with the scope directory:write, sent as a bearer token.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The schemas of a workspace with these custom fields. */
export function listSchemas(base: string, custom: readonly CustomField[]): Document[] {
  return [userSchema, ...extensionsWith(custom), groupSchema].map((schema) => ({
    ...schema.describe(`${base}/Schemas`),
  }));
}

export function listResourceTypes(base: string): Document[] {
  const resourceType = (name: string, schema: string, extensions: Document) => ({
    schemas: [`${core}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    ...extensions,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  });
  return [
    resourceType('User', userSchema.id, {
      schemaExtensions: Object.values(userExtensions).map(({ id }) => ({ schema: id, required: false })),
    }),
    resourceType('Group', groupSchema.id, {}),
  ];
}

/** The discovery endpoints take no filter (RFC 7644, 4). */
export function refuseFilter(query: Document): void {
  if (query.filter !== undefined) throw new Failure('forbidden', 'There are no filters here: ask without one.');
}

export function findById(documents: readonly Document[], id: string): Document {
  const found = documents.find((document) => String(document.id).toLowerCase() === id.toLowerCase());
  if (!found) throw new Failure('missing', 'There is nothing with this id.');
  return found;
}
