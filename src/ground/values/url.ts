const schemes = { https: /^https:\/\//i, web: /^https?:\/\//i };
const problems = { https: 'must be a URL that begins with https://', web: 'must be an http or https URL' };

/**
 * What is wrong with a URL that others follow or call: of `https` alone, or of the `web`, which is http too. Null if nothing is. A user name
 * or a password in it would be visible to everyone who sees the URL, and `https://bank.example@evil.example` looks like another host.
 */
export function urlProblem(text: string, kind: keyof typeof schemes): string | null {
  const url = schemes[kind].test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url) return problems[kind];
  return url.username || url.password ? 'must not have a user name or password' : null;
}
