import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { NewUser, SignInLink, User, UserChange, UserPage, UserQuery, UserWithLink } from '../types.ts';

/** The people who sign in to the console, and their roles. */
export class Users extends Resource {
  /** A page of people, those added last first. */
  list(query: UserQuery = {}, options: CallOptions = {}): Promise<UserPage> {
    return this.call('GET /users', { query }, options);
  }

  /** Gives a person a role in this workspace. The answer has a link that signs them in. */
  create(user: NewUser, options: CallOptions = {}): Promise<UserWithLink> {
    return this.call('POST /users', { body: user, once: true }, options);
  }

  /** Changes a user's role. Open sessions follow within a second. */
  update(id: number, change: UserChange, options: CallOptions = {}): Promise<User> {
    return this.call('PATCH /users/{id}', { path: { id }, body: change }, options);
  }

  /** Removes a user's access to this workspace. */
  delete(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /users/{id}', { path: { id } }, options);
  }

  /** Creates a one-time sign-in link. Earlier links stop working. */
  createLink(id: number, options: CallOptions = {}): Promise<SignInLink> {
    return this.call('POST /users/{id}/link', { path: { id }, once: true }, options);
  }

  /** Signs a user out of every browser. */
  endSessions(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /users/{id}/sessions', { path: { id } }, options);
  }

  /** @deprecated Use `create`. */
  readonly add = this.create;

  /** @deprecated Use `update`. */
  readonly change = this.update;

  /** @deprecated Use `delete`. */
  readonly remove = this.delete;

  /** @deprecated Use `createLink`. */
  readonly makeLink = this.createLink;
}
