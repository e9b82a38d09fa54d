import type { CallOptions, Transport } from '../transport.ts';
import type { NewUser, SignInLink, User, UserChange, UserPage, UserQuery, UserWithLink } from '../types.ts';

/** The people who sign in to the console, and their roles. */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of people, those added last first. */
  async list(query: UserQuery = {}, { signal }: CallOptions = {}): Promise<UserPage> {
    return (await this.#transport.json<UserPage>({ method: 'GET', path: '/users', query, signal })).body;
  }

  /** Gives a person a role in this workspace. The answer has a link that signs them in. */
  async add(user: NewUser, { signal }: CallOptions = {}): Promise<UserWithLink> {
    const call = { method: 'POST', path: '/users', body: user, once: true, signal } as const;
    return (await this.#transport.json<UserWithLink>(call)).body;
  }

  /** Changes somebody's role, within a second also in sessions that are open. */
  async change(id: number, change: UserChange, { signal }: CallOptions = {}): Promise<User> {
    const call = { method: 'PATCH', path: `/users/${id}`, body: change, signal } as const;
    return (await this.#transport.json<User>(call)).body;
  }

  /** Takes somebody's role in this workspace away. */
  async remove(id: number, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/users/${id}`, signal });
  }

  /** Makes a link that signs somebody in once, and ends earlier ones. */
  async makeLink(id: number, { signal }: CallOptions = {}): Promise<SignInLink> {
    const call = { method: 'POST', path: `/users/${id}/link`, once: true, signal } as const;
    return (await this.#transport.json<SignInLink>(call)).body;
  }

  /** Signs somebody out of every browser. */
  async endSessions(id: number, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/users/${id}/sessions`, signal });
  }
}
