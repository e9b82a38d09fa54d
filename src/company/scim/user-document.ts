import { memberFields, type ScimField, type ScimPlace, scimFields, scimPlaces } from '../../ground/values/member.ts';
import type { Document } from './attributes.ts';
import { enterpriseSchema, giftwireSchema, userSchema } from './schemas.ts';
import type { UserRow } from './user-rows.ts';
import { versionOf } from './version.ts';

/** A user as a SCIM resource. Unknown attributes are absent. */
export function userDocument(row: UserRow, base: string): Document {
  const fullName = `${row.firstName} ${row.lastName}`.trim();
  const formatted = row.formattedName ?? fullName;
  const enterprise = present({
    ...attributesOf(row, ({ extension }) => extension === 'enterprise'),
    manager: managerOf(row, base),
  });
  const giftwire = present({ ...attributesOf(row, ({ extension }) => extension === 'giftwire'), ...row.custom });
  const extensions = Object.entries({ [enterpriseSchema.id]: enterprise, [giftwireSchema.id]: giftwire }).filter(
    ([, attributes]) => Object.keys(attributes).length > 0,
  );
  return {
    schemas: [userSchema.id, ...extensions.map(([id]) => id)],
    id: String(row.id),
    ...present({
      ...attributesOf(row, ({ extension, part }) => extension === null && part === undefined),
      name: formatted && present({ formatted, familyName: row.lastName, givenName: row.firstName }),
    }),
    displayName: row.displayName ?? (fullName || row.userName),
    active: row.active,
    ...emailsOf(row),
    ...listsOf(row),
    ...(row.groups.length > 0 && {
      groups: row.groups.map(({ id, name: display }) => ({
        value: String(id),
        $ref: `${base}/Groups/${id}`,
        display,
      })),
    }),
    ...Object.fromEntries(extensions),
    meta: {
      resourceType: 'User',
      created: row.createdAt,
      lastModified: row.changedAt,
      location: `${base}/Users/${row.id}`,
      version: versionOf(row),
    },
  };
}

/** The document that a PATCH is applied to, without composed names: they would be stored as if the client had sent them. */
export function writableDocument(row: UserRow): Document {
  const { displayName, name, ...others } = userDocument(row, '');
  const { formatted, ...names } = (name ?? {}) as Document;
  return {
    ...others,
    ...(row.displayName !== null && { displayName }),
    ...(name !== undefined && { name: row.formattedName === null ? names : { formatted, ...names } }),
  };
}

/** Languages as browsers write them: fr-CA. */
function scimText(name: ScimField, text: string | null): string | null {
  if (memberFields[name].kind !== 'language' || text === null) return text;
  return `${text.slice(0, 2).toLowerCase()}-${text.slice(3)}`;
}

/** The attributes that are plain texts. */
function attributesOf(row: UserRow, isMeant: (place: ScimPlace) => boolean): Document {
  const meant = scimFields.filter((name) => isMeant(scimPlaces[name]));
  return Object.fromEntries(meant.map((name) => [scimPlaces[name].attribute, scimText(name, row[name])]));
}

function emailsOf({ emails }: UserRow): Document {
  if (emails.length === 0) return {};
  return {
    emails: emails.map(({ value, type, primary }) => ({
      value,
      ...(type !== null && { type }),
      ...(primary && { primary }),
    })),
  };
}

/** The other attributes that are lists: Giftwire keeps one value of each. */
function listsOf(row: UserRow): Document {
  const lists: Record<string, [Document]> = {};
  for (const name of scimFields) {
    const { attribute, type, part } = scimPlaces[name];
    if (name === 'email' || type === undefined || part === undefined || !row[name]) continue;
    lists[attribute] ??= [{ type }];
    lists[attribute][0][part] = row[name];
  }
  return lists;
}

function managerOf({ managerId, managerName, managerReference }: UserRow, base: string): Document | null {
  if (managerId === null) return managerReference === null ? null : { value: managerReference };
  return present({ value: String(managerId), $ref: `${base}/Users/${managerId}`, displayName: managerName });
}

function present(fields: Document): Document {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}
