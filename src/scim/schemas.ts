import SCIMMY from 'scimmy';

const { Attribute, SchemaDefinition } = SCIMMY.Types;

export type Attribute = SCIMMY.Types.Attribute;
export type Schema = SCIMMY.Types.SchemaDefinition;

/** Which attributes are kept, by schema: all of one, or the parts that are named. */
const kept = {
  user: {
    userName: true,
    name: ['formatted', 'familyName', 'givenName'],
    displayName: true,
    active: true,
    emails: ['value', 'type', 'primary'],
    addresses: ['locality', 'type'],
    photos: ['value', 'type'],
    groups: ['value', '$ref', 'display'],
  },
  enterprise: {
    employeeNumber: true,
    costCenter: true,
    department: true,
    manager: ['value', '$ref', 'displayName'],
  },
  group: { displayName: true, members: ['value', '$ref', 'display', 'type'] },
} as const;

const derived = new Set(['formatted', 'displayName', 'groups']);

export const userSchema = narrow(SCIMMY.Schemas.User.definition, kept.user, derived);
export const enterpriseSchema = narrow(SCIMMY.Schemas.EnterpriseUser.definition, kept.enterprise, derived);
export const groupSchema = narrow(SCIMMY.Schemas.Group.definition, kept.group);

/** The library's definition without what is not kept here. Its own is shared, and left as it is. */
function narrow(
  { name, id, description, attributes }: Schema,
  parts: Record<string, true | readonly string[]>,
  readOnly: ReadonlySet<string> = new Set(),
): Schema {
  const copy = (attribute: Attribute, subs: true | readonly string[]): Attribute =>
    new Attribute(
      attribute.type,
      attribute.name,
      { ...attribute.config, ...(readOnly.has(attribute.name) && { mutable: false }) },
      (attribute.subAttributes ?? [])
        .filter((sub) => subs === true || subs.includes(sub.name))
        .map((sub) => copy(sub, true)),
    );
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
