import { Resource } from '../resource.ts';

/** API tokens of the workspace. */
export class Tokens extends Resource {
  /** A page of tokens, the newest first. */
  readonly list = this.method('GET /tokens', 'query');
  /** Makes a token. Its secret is in the answer and nowhere else. */
  readonly create = this.method('POST /tokens', 'body', { once: true });
  /** Gives a token a new secret, which is in the answer and nowhere else. The old one ends. */
  readonly rotate = this.method('POST /tokens/{id}/rotate', 'body', { once: true });
  /** Ends a token at once. */
  readonly delete = this.method('DELETE /tokens/{id}');
  /** @deprecated Use `create`. */
  readonly make = this.create;
  /** @deprecated Use `delete`. */
  readonly revoke = this.delete;
}
