import Type, { type TSchema } from 'typebox';
import { type OpenField, openFields, type ScimField, type ScimPlace, scimPlaces } from '../values/member.ts';
import { fieldExample } from './member-fields.ts';
import { examplePerson, named, ref } from './schema.ts';

const urn = 'urn:ietf:params:scim';
const userUrn = `${urn}:schemas:core:2.0:User`;
const enterpriseUrn = `${urn}:schemas:extension:enterprise:2.0:User`;
const giftwireUrn = `${urn}:schemas:extension:giftwire:2.0:User`;
const groupUrn = `${urn}:schemas:core:2.0:Group`;

const schemas = (...urns: string[]) =>
  Type.Array(Type.String(), { description: 'The URNs of the schemas that the resource uses.', examples: [urns] });
const text = (example: string) => Type.Optional(Type.String({ examples: [example] }));
const id = (example: string) => Type.Optional(Type.String({ examples: [example], readOnly: true }));
const name = `${examplePerson.firstName} ${examplePerson.lastName}`;

// A caller can ask for a part of each of these, so none of their fields is required.
const ScimMeta = named(
  'ScimMeta',
  Type.Object(
    {
      resourceType: text('User'),
      created: Type.Optional(Type.String({ format: 'date-time' })),
      lastModified: Type.Optional(Type.String({ format: 'date-time' })),
      location: Type.Optional(Type.String()),
      version: Type.Optional(Type.String({ description: 'The same value as the header ETag.' })),
    },
    { description: 'What Giftwire knows about a resource. Ignored in requests.' },
  ),
);
const ScimReference = named(
  'ScimReference',
  Type.Object(
    { value: text('7'), display: text(name) },
    { description: 'A user of a group, or a group of a user, by id: a request has its `value`.' },
  ),
);

const ScimValue = named(
  'ScimValue',
  Type.Object(
    { value: text(examplePerson.email), type: text('work') },
    { description: 'One of several email addresses, phone numbers or pictures: a request has its `value`.' },
  ),
);

const fields = openFields.flatMap((name) => (name in scimPlaces ? [name as OpenField & ScimField] : []));
const examples: Partial<Record<ScimField, string>> = { employeeNumber: '10042', location: 'Toronto' };
const textOf = (name: OpenField & ScimField) => text(examples[name] ?? fieldExample(name));

function attributesOf(isMeant: (place: ScimPlace) => boolean) {
  const meant = fields.filter((name) => isMeant(scimPlaces[name]));
  return Object.fromEntries(meant.map((name) => [scimPlaces[name].attribute, textOf(name)]));
}

const ScimName = named(
  'ScimName',
  Type.Object({
    formatted: text(name),
    givenName: text(examplePerson.firstName),
    familyName: text(examplePerson.lastName),
  }),
);

const ScimEnterprise = named(
  'ScimEnterprise',
  Type.Object({
    ...attributesOf(({ extension }) => extension === 'enterprise'),
    manager: Type.Optional(
      Type.Object({
        value: Type.Optional(
          Type.String({ description: 'An id, login, email address or employee number.', examples: ['3'] }),
        ),
      }),
    ),
  }),
);

const ScimGiftwire = named(
  'ScimGiftwire',
  Type.Object(
    attributesOf(({ extension }) => extension === 'giftwire'),
    {
      description: 'What SCIM has no attribute for, and the custom fields of the workspace by their keys.',
      additionalProperties: true,
    },
  ),
);

/** Lists whose values have several parts, as addresses do. */
const partSchemas: (TSchema & { $id: string })[] = [];

/** The attributes that are lists of values with a type. */
const lists = Object.fromEntries(
  [...Map.groupBy(fields, (name) => scimPlaces[name].type && scimPlaces[name].attribute)].flatMap(
    ([attribute, names]) => {
      if (attribute === undefined) return [];
      const { part, type = '' } = scimPlaces[names[0] as ScimField];
      const parts = Object.fromEntries(names.map((name) => [scimPlaces[name].part, textOf(name)]));
      if (part === 'value') return [[attribute, Type.Optional(Type.Array(ref(ScimValue)))]];
      const schema = named(
        `Scim${attribute.charAt(0).toUpperCase()}${attribute.slice(1)}Value`,
        Type.Object({ ...parts, type: text(type) }),
      );
      partSchemas.push(schema);
      return [[attribute, Type.Optional(Type.Array(ref(schema)))]];
    },
  ),
);

export const ScimUser = named(
  'ScimUser',
  Type.Object(
    {
      schemas: schemas(userUrn, enterpriseUrn),
      id: id('7'),
      externalId: text('3f0e9b11'),
      userName: Type.String({ examples: [examplePerson.email] }),
      name: Type.Optional(ref(ScimName)),
      displayName: text(name),
      active: Type.Optional(Type.Boolean({ description: 'False for a person who has left.', examples: [true] })),
      ...attributesOf(({ extension, part }) => extension === null && part === undefined),
      ...lists,
      groups: Type.Optional(
        Type.Array(ref(ScimReference), { description: 'The teams of the member.', readOnly: true }),
      ),
      [enterpriseUrn]: Type.Optional(ref(ScimEnterprise)),
      [giftwireUrn]: Type.Optional(ref(ScimGiftwire)),
      meta: Type.Optional(ref(ScimMeta)),
    },
    {
      description: 'A member as a SCIM user. Giftwire accepts and ignores attributes that it does not keep.',
      examples: [
        {
          schemas: [userUrn, enterpriseUrn],
          userName: 'ida.brandt@example.com',
          name: { givenName: 'Ida', familyName: 'Brandt' },
          emails: [{ value: 'ida.brandt@example.com', type: 'work' }],
          active: true,
          [enterpriseUrn]: { employeeNumber: '2001', department: 'Engineering', costCenter: 'CC-100' },
        },
      ],
    },
  ),
);

export const ScimGroup = named(
  'ScimGroup',
  Type.Object(
    {
      schemas: schemas(groupUrn),
      id: id('3'),
      externalId: text('b11f0e93'),
      displayName: Type.String({ examples: ['Platform'] }),
      members: Type.Optional(Type.Array(ref(ScimReference))),
      meta: Type.Optional(ref(ScimMeta)),
    },
    {
      description: 'A team as a SCIM group.',
      examples: [{ schemas: [groupUrn], displayName: 'Mentors' }],
    },
  ),
);

export const ScimPatch = named(
  'ScimPatch',
  Type.Object(
    {
      schemas: schemas(`${urn}:api:messages:2.0:PatchOp`),
      Operations: Type.Array(
        Type.Object({
          op: Type.String({ description: 'add, replace or remove, ignoring case.', examples: ['replace'] }),
          path: text('externalId'),
          value: Type.Optional(Type.Unknown({ examples: ['b11f0e93'] })),
        }),
      ),
    },
    {
      description: 'Changes to a user or a group, in the forms that Entra ID and Okta send.',
      examples: [
        {
          schemas: [`${urn}:api:messages:2.0:PatchOp`],
          Operations: [{ op: 'replace', path: 'externalId', value: 'b11f0e93' }],
        },
      ],
    },
  ),
);

const onlyAsked = 'With `attributes` or `excludedAttributes`, it has only what was asked for, and `schemas` and `id`.';

export const ScimUserResult = named(
  'ScimUserResult',
  Type.Object(
    {
      ...Type.Partial(ScimUser).properties,
      schemas: ScimUser.properties.schemas,
      id: Type.String({ examples: ['7'], readOnly: true }),
    },
    { description: `A member as a SCIM user. ${onlyAsked}` },
  ),
);
export const ScimGroupResult = named(
  'ScimGroupResult',
  Type.Object(
    {
      ...Type.Partial(ScimGroup).properties,
      schemas: ScimGroup.properties.schemas,
      id: Type.String({ examples: ['3'], readOnly: true }),
    },
    { description: `A team as a SCIM group. ${onlyAsked}` },
  ),
);

const list = <Id extends string>(id: Id, resource: TSchema) =>
  named(
    id,
    Type.Object({
      schemas: schemas(`${urn}:api:messages:2.0:ListResponse`),
      totalResults: Type.Integer({ examples: [1] }),
      startIndex: Type.Integer({ examples: [1] }),
      itemsPerPage: Type.Integer({ examples: [1] }),
      Resources: Type.Array(resource),
    }),
  );

export const ScimUserList = list('ScimUserList', ref(ScimUserResult));
export const ScimGroupList = list('ScimGroupList', ref(ScimGroupResult));
export const ScimList = list('ScimList', Type.Union([ref(ScimUserResult), ref(ScimGroupResult)]));

export const ScimSearchRequest = named(
  'ScimSearchRequest',
  Type.Object(
    {
      schemas: schemas(`${urn}:api:messages:2.0:SearchRequest`),
      filter: text('displayName sw "P"'),
      startIndex: Type.Optional(
        Type.Integer({ default: 1, description: 'The first result to return, counted from 1.' }),
      ),
      count: Type.Optional(
        Type.Integer({ default: 100, description: 'At most 1,000. With 0 only the total is returned.' }),
      ),
      attributes: Type.Optional(Type.Array(Type.String(), { description: 'Return only these attributes.' })),
      excludedAttributes: Type.Optional(Type.Array(Type.String(), { description: 'Return all attributes but these.' })),
    },
    {
      description: 'The query of a list, as a body.',
      examples: [{ schemas: [`${urn}:api:messages:2.0:SearchRequest`], filter: 'displayName sw "P"', count: 10 }],
    },
  ),
);

export const ScimError = named(
  'ScimError',
  Type.Object(
    {
      schemas: schemas(`${urn}:api:messages:2.0:Error`),
      status: Type.String({ description: 'Equals the HTTP status.', examples: ['409'] }),
      scimType: text('uniqueness'),
      detail: Type.String({ examples: ['Another user already has this userName.'] }),
    },
    { description: 'The body of every error answer under /scim.' },
  ),
);

export const scimSchemas = [
  ScimMeta,
  ScimReference,
  ScimValue,
  ScimName,
  ScimEnterprise,
  ScimGiftwire,
  ...partSchemas,
  ScimUser,
  ScimGroup,
  ScimUserResult,
  ScimGroupResult,
  ScimPatch,
  ScimUserList,
  ScimGroupList,
  ScimList,
  ScimSearchRequest,
  ScimError,
];
