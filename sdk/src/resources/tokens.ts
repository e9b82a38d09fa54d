import type { CallOptions, Transport } from '../transport.ts';
import type { NewToken, TokenPage, TokenQuery, TokenRotation, TokenWithSecret } from '../types.ts';

/** API tokens of the workspace. */
export class Tokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of tokens, the newest first. */
  async list(query: TokenQuery = {}, { signal }: CallOptions = {}): Promise<TokenPage> {
    return (await this.#transport.json<TokenPage>({ method: 'GET', path: '/tokens', query, signal })).body;
  }

  /** Makes a token. Its secret is in the answer and nowhere else. */
  async make(token: NewToken, { signal }: CallOptions = {}): Promise<TokenWithSecret> {
    const call = { method: 'POST', path: '/tokens', body: token, once: true, signal } as const;
    return (await this.#transport.json<TokenWithSecret>(call)).body;
  }

  /** Gives a token a new secret, which is in the answer and nowhere else. The old one ends. */
  async rotate(id: number, rotation: TokenRotation = {}, { signal }: CallOptions = {}): Promise<TokenWithSecret> {
    const call = { method: 'POST', path: `/tokens/${id}/rotate`, body: rotation, once: true, signal } as const;
    return (await this.#transport.json<TokenWithSecret>(call)).body;
  }

  /** Ends a token at once. */
  async revoke(id: number, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/tokens/${id}`, signal });
  }
}
