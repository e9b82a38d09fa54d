import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { NewToken, TokenPage, TokenQuery, TokenRotation, TokenWithSecret } from '../types.ts';

/** API tokens of the workspace. */
export class Tokens extends Resource {
  /** A page of tokens, the newest first. */
  list(query: TokenQuery = {}, options: CallOptions = {}): Promise<TokenPage> {
    return this.call('GET /tokens', { query }, options);
  }

  /** Makes a token. Its secret is in the answer and nowhere else. */
  create(token: NewToken, options: CallOptions = {}): Promise<TokenWithSecret> {
    return this.call('POST /tokens', { body: token, once: true }, options);
  }

  /** Gives a token a new secret, which is in the answer and nowhere else. The old one ends. */
  rotate(id: number, rotation: TokenRotation = {}, options: CallOptions = {}): Promise<TokenWithSecret> {
    return this.call('POST /tokens/{id}/rotate', { path: { id }, body: rotation, once: true }, options);
  }

  /** Ends a token at once. */
  delete(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /tokens/{id}', { path: { id } }, options);
  }

  /** @deprecated Use `create`. */
  readonly make = this.create;

  /** @deprecated Use `delete`. */
  readonly revoke = this.delete;
}
