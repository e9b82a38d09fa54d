// As URLs are read, the password ends at the last @ before the path.
const form = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;
const targets = ['any', 'primary', 'read-write'];

/**
 * The servers that a database URL names, as a URL for each: `postgres://user@one:5432,two:5432/name` or `?host=one,two&port=5432,5433`, as
 * libpq reads them. Null if it is not one. `target_session_attrs` is left out: the service always needs the server that takes writes.
 */
export function urlsOfServers(url: string): readonly string[] | null {
  const [, scheme = '', user = '', authority = '', path = '', query = ''] = form.exec(url) ?? [];
  if (scheme === '') return null;
  const parameters = new URLSearchParams(query);
  if (!targets.includes(parameters.get('target_session_attrs') ?? 'any')) return null;
  const isPlain = !parameters.has('target_session_attrs') && !(parameters.get('host') ?? '').includes(',');
  if (isPlain && !authority.includes(',')) return URL.canParse(url) ? [url] : null;
  parameters.delete('target_session_attrs');
  const hosts = listOf(parameters.get('host'));
  const ports = listOf(parameters.get('port'));
  const single = (servers: string, own: URLSearchParams) =>
    `${scheme}${user}${servers}${path}${own.size > 0 ? `?${own}` : ''}`;
  const urls =
    hosts.length > 0
      ? hosts.map((host, nth) => single(authority, withServer(parameters, host, ports[nth] ?? ports[0])))
      : authority.split(',').map((server) => single(server, parameters));
  return urls.every((one) => URL.canParse(one)) ? urls : null;
}

/** The server and the name of a database URL, without user and password. */
export function placeOf(url: string): string {
  const [, , , authority = '', path = '', query = ''] = form.exec(url) ?? [];
  return `${new URLSearchParams(query).get('host') ?? authority}${path}`;
}

function listOf(text: string | null): string[] {
  return text ? text.split(',') : [];
}

function withServer(parameters: URLSearchParams, host: string, port: string | undefined): URLSearchParams {
  const own = new URLSearchParams(parameters);
  own.set('host', host);
  if (port) own.set('port', port);
  return own;
}
