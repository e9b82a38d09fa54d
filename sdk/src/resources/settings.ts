import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { SettingsChange, Settings as Values } from '../types.ts';

/** Branding, emails and policies of the workspace. */
export class Settings extends Resource {
  /** All settings. */
  retrieve(options: CallOptions = {}): Promise<Values> {
    return this.call('GET /settings', {}, options);
  }

  /** Changes the settings that are given, and returns all of them. */
  update(change: SettingsChange, options: CallOptions = {}): Promise<Values> {
    return this.call('PATCH /settings', { body: change }, options);
  }

  /** Sets the logo of emails and gift pages: a PNG or JPEG of at most 100 KB. */
  setLogo(image: Blob, options: CallOptions = {}): Promise<Values> {
    const raw = { type: image.type, content: image };
    return this.call('PUT /settings/logo', { raw }, options);
  }

  /** Emails and gift pages show the company's name instead. */
  removeLogo(options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /settings/logo', {}, options);
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;

  /** @deprecated Use `update`. */
  readonly change = this.update;
}
