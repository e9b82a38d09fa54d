import type { Document } from './attributes.ts';
import { enterpriseSchema, userSchema } from './schemas.ts';
import type { UserRow } from './user-rows.ts';
import { versionOf } from './version.ts';

/** A user as a SCIM resource. Unknown attributes are absent. */
export function userDocument(row: UserRow, base: string): Document {
  const fullName = `${row.firstName} ${row.lastName}`.trim();
  const formatted = row.formattedName ?? fullName;
  const enterprise = present({
    employeeNumber: row.employeeNumber,
    costCenter: row.costCentre,
    department: row.department,
    manager: managerOf(row, base),
  });
  const hasEnterprise = Object.keys(enterprise).length > 0;
  return {
    schemas: hasEnterprise ? [userSchema.id, enterpriseSchema.id] : [userSchema.id],
    id: String(row.id),
    ...present({
      externalId: row.externalId,
      userName: row.userName,
      name: formatted && present({ formatted, familyName: row.lastName, givenName: row.firstName }),
    }),
    displayName: row.displayName ?? (fullName || row.userName),
    active: row.active,
    ...(row.email && { emails: [{ value: row.email, type: 'work', primary: true }] }),
    ...(row.location && { addresses: [{ type: 'work', locality: row.location }] }),
    ...(row.pictureUrl && { photos: [{ value: row.pictureUrl, type: 'photo' }] }),
    ...(row.groups.length > 0 && {
      groups: row.groups.map(({ id, name: display }) => ({
        value: String(id),
        $ref: `${base}/Groups/${id}`,
        display,
      })),
    }),
    ...(hasEnterprise && { [enterpriseSchema.id]: enterprise }),
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

function managerOf({ managerId, managerName, managerReference }: UserRow, base: string): Document | null {
  if (managerId === null) return managerReference === null ? null : { value: managerReference };
  return present({ value: String(managerId), $ref: `${base}/Users/${managerId}`, displayName: managerName });
}

function present(fields: Document): Document {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}
