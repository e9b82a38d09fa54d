import { type ClientConfig, clientSettings, readClientConfig } from '../config.ts';
import { Failure } from '../errors.ts';

const settingNames = Object.values(clientSettings).map(({ name }) => name);

/** The last lines of the help of a command that calls the service. */
export const settingsHelp = `\nSettings: ${settingNames.join(', ')} (see "giftwire env").`;

/** The service that a command calls over HTTP, from the settings. */
export function readClient(): ClientConfig {
  const client = readClientConfig();
  if (client.token) return client;
  throw new Failure('setup', 'Set GIFTWIRE_TOKEN to an API token: npx giftwire token create --workspace 1 makes one.');
}

/** The service does not answer, or is busy: the same call may succeed later. */
export class ServiceAway extends Failure {
  constructor(message: string, cause?: unknown) {
    super('setup', message, { cause });
  }
}

// Longer than the service holds a request that waits for events.
const timeoutMs = 40_000;

/** Calls the service. An error answer becomes a Failure with its message. */
export async function call(
  { url, token, workspace }: ClientConfig,
  method: string,
  path: string,
  { body, headers, signal }: { body?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<{ answer: unknown; headers: Headers }> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'X-Workspace-id': workspace, ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  }).catch((cause) => {
    throw new ServiceAway(
      `There is no answer from ${url}: start the service, or set GIFTWIRE_URL to its address.`,
      cause,
    );
  });
  const answer = (await response.json().catch(() => ({}))) as { message?: string };
  if (response.ok) return { answer, headers: response.headers };
  const message = `${response.status}: ${answer.message ?? response.statusText}`;
  throw response.status === 503 || response.status === 429 ? new ServiceAway(message) : new Failure('setup', message);
}
