/** A UUID as PostgreSQL takes it. The usual pattern also allows `urn:uuid:…`, which PostgreSQL refuses. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The time that a UUID of version 7 begins with. */
export function timeOfUuid(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const lastTimeMs = 2 ** 48 - 1;

/** The smallest UUID that begins with this time: those of version 7 made since then are greater. */
export function firstUuidAt(timeMs: number): string {
  const time = Math.min(Math.max(Math.ceil(timeMs), 0), lastTimeMs)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
