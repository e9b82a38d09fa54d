import { Resource } from '../resource.ts';

/** Who is calling. All but `get` is for people who are signed in, not for tokens. */
export class MeResource extends Resource {
  /** The person or the token that calls, and what they may do in which workspace. */
  readonly retrieve = this.method('GET /me');
  /** Changes your name or language. */
  readonly update = this.method('PATCH /me', 'body');
  /** How you sign in, and where you are signed in. */
  readonly account = this.method('GET /me/account');
  /** Chooses a password, and ends your other sessions. */
  readonly choosePassword = this.method('POST /me/password', 'body', { once: true });
  /** What the member that you act as has chosen. */
  readonly preferences = this.method('GET /me/preferences');
  /** Changes the preferences that are given, and returns all of them. */
  readonly updatePreferences = this.method('PATCH /me/preferences', 'body');
  /** Everything about you, as a ZIP. Three times a day. */
  readonly data = this.file('GET /me/data', null, 'application/zip');
  /** Ends one of your sessions. */
  readonly endSession = this.method('DELETE /me/sessions/{id}');
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
  /** @deprecated Use `update`. */
  readonly change = this.update;
}
