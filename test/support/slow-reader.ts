import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SlowReader {
  status: number;
  retryAfter: string | null;
  /** Reads the rest, with a pause after each piece. Returns what arrived, and whether the answer was complete. */
  read(pauseMs?: () => number): Promise<{ text: string; isWhole: boolean }>;
  leave(): void;
}

/** Requests a file and reads nothing but its headers. */
export async function openSlowReader(url: string, headers: Record<string, string>): Promise<SlowReader> {
  const request = get(url, { headers: { Accept: 'text/csv', ...headers }, agent: false });
  const response = await answerTo(request);
  response.on('error', () => {});
  return {
    status: response.statusCode as number,
    retryAfter: response.headers['retry-after'] ?? null,
    async read(pauseMs = () => 0) {
      let text = '';
      try {
        for await (const part of response.setEncoding('utf8')) {
          text += part;
          await sleep(pauseMs());
        }
      } catch {
        // The service closed the connection.
      }
      return { text, isWhole: response.complete };
    },
    leave: () => request.destroy(),
  };
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', resolve);
  });
}
