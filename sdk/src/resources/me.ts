import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { Me as Caller, MyAccount, MyChange, MyPassword } from '../types.ts';

/** Who is calling. All but `get` is for people who are signed in, not for tokens. */
export class Me extends Resource {
  /** The person or the token that calls, and what they may do in which workspace. */
  retrieve(options: CallOptions = {}): Promise<Caller> {
    return this.call('GET /me', {}, options);
  }

  /** Changes your name or language. */
  update(change: MyChange, options: CallOptions = {}): Promise<void> {
    return this.call('PATCH /me', { body: change }, options);
  }

  /** How you sign in, and where you are signed in. */
  account(options: CallOptions = {}): Promise<MyAccount> {
    return this.call('GET /me/account', {}, options);
  }

  /** Chooses a password, and ends your other sessions. */
  choosePassword(password: MyPassword, options: CallOptions = {}): Promise<void> {
    return this.call('POST /me/password', { body: password, once: true }, options);
  }

  /** Ends one of your sessions. */
  endSession(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /me/sessions/{id}', { path: { id } }, options);
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;

  /** @deprecated Use `update`. */
  readonly change = this.update;
}
