/** A UUID as PostgreSQL takes it. The usual pattern also allows `urn:uuid:…`, which PostgreSQL refuses. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
