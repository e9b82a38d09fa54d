import type { CallOptions, Transport } from '../transport.ts';
import type { Me as Caller, MyAccount, MyChange, MyPassword } from '../types.ts';

/** Who is calling. All but `get` is for people who are signed in, not for tokens. */
export class Me {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The person or the token that calls, and what they may do in which workspace. */
  async get({ signal }: CallOptions = {}): Promise<Caller> {
    return (await this.#transport.json<Caller>({ method: 'GET', path: '/me', signal })).body;
  }

  /** Changes your name or language. */
  async change(change: MyChange, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'PATCH', path: '/me', body: change, signal });
  }

  /** How you sign in, and where you are signed in. */
  async account({ signal }: CallOptions = {}): Promise<MyAccount> {
    return (await this.#transport.json<MyAccount>({ method: 'GET', path: '/me/account', signal })).body;
  }

  /** Chooses a password, and ends your other sessions. */
  async choosePassword(password: MyPassword, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'POST', path: '/me/password', body: password, once: true, signal });
  }

  /** Ends one of your sessions. */
  async endSession(id: number, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/me/sessions/${id}`, signal });
  }
}
