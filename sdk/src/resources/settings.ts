import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { Settings } from '../types.ts';

/** Branding, emails and policies of the workspace. */
export class SettingsResource extends Resource {
  /** All settings. */
  readonly retrieve = this.method('GET /settings');
  /** Changes the settings that are given, and returns all of them. */
  readonly update = this.method('PATCH /settings', 'body');

  /** Sets the logo of emails and gift pages: a PNG or JPEG of at most 100 KB. */
  setLogo(image: Blob, options: CallOptions = {}): Promise<Settings> {
    const raw = { type: image.type, content: image };
    return this.call('PUT /settings/logo', { raw }, options);
  }

  /** Emails and gift pages show the company's name instead. */
  readonly removeLogo = this.method('DELETE /settings/logo');
  /** Which people of the directory sign in without being users. */
  readonly employees = this.method('GET /settings/employees');
  /** Changes the settings of employees that are given, and returns all of them. */
  readonly updateEmployees = this.method('PATCH /settings/employees', 'body');
  /** How long each kind of record is kept, with its default and its reason. */
  readonly retention = this.method('GET /settings/retention');
  /** Sets how long some kinds are kept, and returns all of them. */
  readonly updateRetention = this.method('PATCH /settings/retention', 'body');
  /** Counts what the next run removes. */
  readonly previewRetention = this.method('GET /settings/retention/preview');
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
  /** @deprecated Use `update`. */
  readonly change = this.update;
}
