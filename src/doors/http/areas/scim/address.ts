/**
 * The address of a SCIM request as the routes have it. Identity providers append paths to a base address that may end with a
 * slash, and some end the path with a slash too: `/scim/v2//Users/?filter=…`.
 */
export function tidyScimAddress(url: string): string {
  if (!/^\/scim\/v2\//i.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  const tidied = path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  return [tidied, ...query].join('?');
}
