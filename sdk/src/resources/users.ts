import { Resource } from '../resource.ts';

/** The people who sign in to the console, and their roles. */
export class Users extends Resource {
  /** A page of people, those added last first. */
  readonly list = this.method('GET /users', 'query');
  /** One person. */
  readonly retrieve = this.method('GET /users/{id}');
  /** Gives a person a role in this workspace. The answer has a link that signs them in. */
  readonly create = this.method('POST /users', 'body', { once: true });
  /** Changes a user's role. Open sessions follow within a second. */
  readonly update = this.method('PATCH /users/{id}', 'body');
  /** Removes a user's access to this workspace. */
  readonly delete = this.method('DELETE /users/{id}');
  /** Creates a one-time sign-in link. Earlier links stop working. */
  readonly createLink = this.method('POST /users/{id}/link', null, { once: true });
  /** Signs a user out of every browser. */
  readonly endSessions = this.method('DELETE /users/{id}/sessions');
  /** @deprecated Use `create`. */
  readonly add = this.create;
  /** @deprecated Use `update`. */
  readonly change = this.update;
  /** @deprecated Use `delete`. */
  readonly remove = this.delete;
  /** @deprecated Use `createLink`. */
  readonly makeLink = this.createLink;
}
