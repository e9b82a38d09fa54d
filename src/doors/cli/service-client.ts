import { Giftwire, GiftwireError, type GiftwireOptions } from '@giftwire/sdk';
import { type ClientConfig, clientSettings, readClientConfig } from '../../ground/config/config.ts';
import { Failure } from '../../ground/errors.ts';
import { giftwire } from './call.ts';

const settingNames = Object.values(clientSettings).map(({ name }) => name);

/** The last lines of the help of a command that calls the service. */
export const settingsHelp = `\nSettings: ${settingNames.join(', ')} (see "giftwire env").`;

/** The service that a command calls over HTTP, from the settings. */
export function readClient(): ClientConfig & { token: string } {
  const { token, ...config } = readClientConfig();
  if (!token)
    throw new Failure(
      'setup',
      `Set GIFTWIRE_TOKEN to an API token. Create one: ${giftwire} token create --workspace 1`,
    );
  // As the … of an example.
  if (!/^\w+$/.test(token))
    throw new Failure('setup', 'GIFTWIRE_TOKEN has a character that no token has: set it to the whole token.');
  return { ...config, token };
}

/** Calls the service. An error of the client becomes a Failure with its message. */
export async function withService<T>(options: GiftwireOptions, work: (giftwire: Giftwire) => Promise<T>): Promise<T> {
  try {
    return await work(new Giftwire(options));
  } catch (error) {
    if (!(error instanceof GiftwireError)) throw error;
    throw new Failure('setup', messageOf(error, options.url), { cause: error });
  }
}

function messageOf({ type, status, message }: GiftwireError, url: string): string {
  if (type === 'no_answer') return noAnswer(url);
  return status === null ? message : `${status}: ${message}`;
}

export function noAnswer(url: string): string {
  return `There is no answer from ${url}: start the service, or set GIFTWIRE_URL to its address.`;
}
