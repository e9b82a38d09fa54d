/**
 * The address of a SCIM request as the routes have it. Identity providers put paths together from a base address that may
 * end with a slash, and end paths with one: `/scim/v2//Users/?filter=…`.
 */
export function tidyScimAddress(url: string): string {
  if (!/^\/scim\/v2\//i.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  const tidied = path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  return [tidied, ...query].join('?');
}
