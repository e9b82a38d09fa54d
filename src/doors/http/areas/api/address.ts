/** The address of a request as the routes have it: with a slash at the end, it is the same address. */
export function tidyApiAddress(url: string): string {
  return url.startsWith('/api/') ? url.replace(/^([^?]+)\/(?=\?|$)/, '$1') : url;
}
