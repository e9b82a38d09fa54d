import Type, { type TSchema } from 'typebox';
import { named, ref } from './schema.ts';

const schemas = Type.Array(Type.String(), { description: 'The URNs of what is in it.' });
const text = (example: string) => Type.Optional(Type.String({ examples: [example] }));
const meta = Type.Optional(
  Type.Object({
    resourceType: Type.String({ examples: ['User'] }),
    created: Type.String({ format: 'date-time' }),
    lastModified: Type.String({ format: 'date-time' }),
    location: Type.String(),
    version: Type.Optional(Type.String({ description: 'The same as the header ETag.' })),
  }),
);
const reference = Type.Object({ value: Type.String({ examples: ['17'] }), display: text('Ada Lovelace') });

export const ScimUser = named(
  'ScimUser',
  Type.Object(
    {
      schemas,
      id: text('17'),
      externalId: text('3f0e9b11'),
      userName: Type.String({ examples: ['ada@example.com'] }),
      name: Type.Optional(
        Type.Object({ formatted: text('Ada Lovelace'), givenName: text('Ada'), familyName: text('Lovelace') }),
      ),
      displayName: text('Ada Lovelace'),
      active: Type.Optional(Type.Boolean({ description: 'False for somebody who has left.' })),
      emails: Type.Optional(Type.Array(Type.Object({ value: Type.String(), type: text('work') }))),
      addresses: Type.Optional(Type.Array(Type.Object({ locality: text('Toronto'), type: text('work') }))),
      photos: Type.Optional(Type.Array(Type.Object({ value: Type.String(), type: text('photo') }))),
      groups: Type.Optional(Type.Array(reference, { description: 'Read only.' })),
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': Type.Optional(
        Type.Object({
          employeeNumber: text('10042'),
          department: text('Engineering'),
          costCenter: text('CC-100'),
          manager: Type.Optional(
            Type.Object({
              value: Type.String({ description: 'An id, login, e-mail address or employee number.', examples: ['3'] }),
            }),
          ),
        }),
      ),
      meta,
    },
    { description: 'A member as SCIM sees it. Attributes that are not kept are accepted and ignored.' },
  ),
);

export const ScimGroup = named(
  'ScimGroup',
  Type.Object(
    {
      schemas,
      id: text('3'),
      externalId: text('b11f0e93'),
      displayName: Type.String({ examples: ['Platform'] }),
      members: Type.Optional(Type.Array(reference)),
      meta,
    },
    { description: 'A team as SCIM sees it.' },
  ),
);

export const ScimPatch = named(
  'ScimPatch',
  Type.Object(
    {
      schemas,
      Operations: Type.Array(
        Type.Object({
          op: Type.String({ description: 'add, replace or remove, in any case.', examples: ['replace'] }),
          path: text('active'),
          value: Type.Optional(Type.Unknown({ examples: [false] })),
        }),
      ),
    },
    { description: 'Changes, in the forms that Entra ID and Okta send them.' },
  ),
);

const list = <Id extends string>(id: Id, resource: TSchema) =>
  named(
    id,
    Type.Object({
      schemas,
      totalResults: Type.Integer({ examples: [1] }),
      startIndex: Type.Integer({ examples: [1] }),
      itemsPerPage: Type.Integer({ examples: [1] }),
      Resources: Type.Array(resource),
    }),
  );

export const ScimUserList = list('ScimUserList', ref(ScimUser));
export const ScimGroupList = list('ScimGroupList', ref(ScimGroup));
export const ScimList = list('ScimList', Type.Union([ref(ScimUser), ref(ScimGroup)]));

export const ScimSearchRequest = named(
  'ScimSearchRequest',
  Type.Object(
    {
      schemas,
      filter: text('userName eq "ada@example.com"'),
      startIndex: Type.Optional(Type.Integer({ default: 1 })),
      count: Type.Optional(Type.Integer({ default: 100, description: 'At most 1,000; 0 for the total alone.' })),
      attributes: Type.Optional(Type.Array(Type.String(), { description: 'Only these.' })),
      excludedAttributes: Type.Optional(Type.Array(Type.String(), { description: 'All but these.' })),
    },
    { description: 'What a list asks for in its query, as a body.' },
  ),
);

export const ScimError = named(
  'ScimError',
  Type.Object(
    {
      schemas,
      status: Type.String({ description: 'Equals the HTTP status.', examples: ['409'] }),
      scimType: text('uniqueness'),
      detail: Type.String({ examples: ['Somebody else has this userName already.'] }),
    },
    { description: 'The body of every answer of 400 and above under /scim.' },
  ),
);

export const scimSchemas = [
  ScimUser,
  ScimGroup,
  ScimPatch,
  ScimUserList,
  ScimGroupList,
  ScimList,
  ScimSearchRequest,
  ScimError,
];
