import type { CallOptions, Transport } from '../transport.ts';
import type { SettingsChange, Settings as Values } from '../types.ts';

/** Branding, mails and policies of the workspace. */
export class Settings {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All settings. */
  async get({ signal }: CallOptions = {}): Promise<Values> {
    return (await this.#transport.json<Values>({ method: 'GET', path: '/settings', signal })).body;
  }

  /** Changes the settings that are given, and returns all of them. */
  async change(change: SettingsChange, { signal }: CallOptions = {}): Promise<Values> {
    const call = { method: 'PATCH', path: '/settings', body: change, signal } as const;
    return (await this.#transport.json<Values>(call)).body;
  }

  /** Sets the logo of mails and gift pages: a PNG or JPEG of at most 100 KB. */
  async setLogo(image: Blob, { signal }: CallOptions = {}): Promise<Values> {
    const raw = { type: image.type, content: image };
    return (await this.#transport.json<Values>({ method: 'PUT', path: '/settings/logo', raw, signal })).body;
  }

  /** Mails and gift pages show the company's name instead. */
  async removeLogo({ signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: '/settings/logo', signal });
  }
}
