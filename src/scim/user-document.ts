import type { Document } from './attributes.ts';
import { enterpriseSchema, userSchema } from './schemas.ts';
import type { UserRow } from './user-rows.ts';
import { versionOf } from './version.ts';

/** A user as SCIM shows one. What is unknown is absent. */
export function userDocument(row: UserRow, base: string): Document {
  const name = `${row.firstName} ${row.lastName}`.trim();
  const enterprise = present({
    employeeNumber: row.employeeNumber,
    costCenter: row.costCentre,
    department: row.department,
    manager:
      row.managerId &&
      present({
        value: String(row.managerId),
        $ref: `${base}/Users/${row.managerId}`,
        displayName: row.managerName,
      }),
  });
  const hasEnterprise = Object.keys(enterprise).length > 0;
  return {
    schemas: hasEnterprise ? [userSchema.id, enterpriseSchema.id] : [userSchema.id],
    id: String(row.id),
    ...present({
      externalId: row.externalId,
      userName: row.userName,
      name: name && present({ formatted: name, familyName: row.lastName, givenName: row.firstName }),
    }),
    displayName: name || row.userName,
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

function present(fields: Document): Document {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}
