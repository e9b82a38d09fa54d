import SCIMMY from 'scimmy';
import type { CustomField } from '../../ground/values/custom-field.ts';
import {
  type MemberField,
  memberFields,
  type ScimExtension,
  scimFields,
  scimPlaces,
} from '../../ground/values/member.ts';

const { Attribute, SchemaDefinition } = SCIMMY.Types;

export type Attribute = SCIMMY.Types.Attribute;
export type ScimSchema = SCIMMY.Types.SchemaDefinition;

/** The parts of attributes that Giftwire keeps, by schema; an empty list: the attribute has none. */
const kept = {
  user: { ...partsOf(null), active: [], groups: ['value', '$ref', 'display'] },
  enterprise: { ...partsOf('enterprise'), manager: ['value', '$ref', 'displayName'] },
  group: { displayName: [], members: ['value', '$ref', 'display', 'type'] },
};

function partsOf(of: ScimExtension | null): Record<string, string[]> {
  const parts: Record<string, string[]> = {};
  for (const name of scimFields) {
    const { extension, attribute, type, part } = scimPlaces[name];
    // The library adds externalId to every schema.
    if (extension !== of || attribute === 'externalId') continue;
    parts[attribute] ??= type === undefined ? [] : attribute === 'emails' ? ['type', 'primary'] : ['type'];
    if (part !== undefined) parts[attribute].push(part);
  }
  return parts;
}

/** What the attributes of our own extension hold. */
const describedBy: Partial<Record<MemberField['kind'], string>> = {
  date: 'A date, for example 2026-09-01.',
  monthDay: 'Month and day, for example 05-17. Of a whole date the year is removed and never stored.',
};

/** Attributes that only the service writes, and attributes that are unique: by name, with the parent or the schema in front. */
const readOnly = new Set(['groups', 'manager.displayName', 'manager.$ref']);
const unique = new Set(['userName', 'emails.value', 'employeeNumber', 'Group.displayName']);

/** What the library offers, and Giftwire does not take: groups as members of groups. */
const narrowed: Record<string, Attribute['config']> = {
  'members.$ref': { referenceTypes: ['User'] },
  'members.type': { canonicalValues: ['User'], description: "A label indicating the type of resource: 'User'." },
};

const { User, EnterpriseUser, Group } = SCIMMY.Schemas;
export const userSchema = narrow(User.definition, kept.user);
export const enterpriseSchema = narrow(EnterpriseUser.definition, kept.enterprise);
export const groupSchema = narrow(Group.definition, kept.group);

/** What SCIM has no attribute for. Entra ID asks for names of this form for schemas that are not in the standard. */
export const giftwireSchema = ourSchema([]);

function ourSchema(custom: readonly CustomField[]): ScimSchema {
  const own = scimFields.filter((name) => scimPlaces[name].extension === 'giftwire');
  return new SchemaDefinition(
    'Giftwire',
    'urn:ietf:params:scim:schemas:extension:giftwire:2.0:User',
    'Dates of a person for gifts, and the custom fields of the workspace',
    [
      ...own.map(
        (name) =>
          new Attribute('string', scimPlaces[name].attribute, {
            description: describedBy[memberFields[name].kind] ?? '',
          }),
      ),
      ...custom.map(
        ({ key, label, kind, choices }) =>
          new Attribute(kind === 'NUMBER' ? 'decimal' : 'string', key, {
            description: label,
            ...(kind === 'CHOICE' && { canonicalValues: choices }),
          }),
      ),
    ],
  );
}

/** The extensions of the users of a workspace with these custom fields. */
export function extensionsWith(custom: readonly CustomField[]): ScimSchema[] {
  return [enterpriseSchema, custom.length === 0 ? giftwireSchema : ourSchema(custom)];
}

/** The extensions of users, by the name that fields are declared with. */
export const userExtensions: Record<ScimExtension, ScimSchema> = {
  enterprise: enterpriseSchema,
  giftwire: giftwireSchema,
};

/** All attributes that SCIM defines for a schema, also those that Giftwire does not keep. */
export const allAttributes = new Map<ScimSchema, readonly Attribute[]>([
  [userSchema, User.definition.attributes],
  [enterpriseSchema, EnterpriseUser.definition.attributes],
  [giftwireSchema, giftwireSchema.attributes],
  [groupSchema, Group.definition.attributes],
]);

/** A copy of the library's definition with only the attributes that Giftwire keeps. */
function narrow(
  { name, id, description, attributes }: ScimSchema,
  parts: Record<string, readonly string[]>,
): ScimSchema {
  const copy = (attribute: Attribute, subs: readonly string[], owner = ''): Attribute => {
    const path = owner + attribute.name;
    return new Attribute(
      attribute.type,
      attribute.name,
      {
        ...attribute.config,
        ...narrowed[path],
        ...(readOnly.has(path) && { mutable: false }),
        ...((unique.has(path) || unique.has(`${name}.${path}`)) && { uniqueness: 'server' as const }),
      },
      (attribute.subAttributes ?? []).filter((sub) => subs.includes(sub.name)).map((sub) => copy(sub, [], `${path}.`)),
    );
  };
  return new SchemaDefinition(
    name,
    id,
    description,
    attributes.flatMap((attribute) => {
      const part = Object.hasOwn(parts, attribute.name) ? parts[attribute.name] : undefined;
      return part === undefined ? [] : copy(attribute, part);
    }),
  );
}
