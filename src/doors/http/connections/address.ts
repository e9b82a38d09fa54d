/** The path as the router sees it: without an absolute address in front, without a query, decoded. */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/i, '').split('?')[0] as string;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
