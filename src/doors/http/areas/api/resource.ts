import type { KeywordDefinition } from 'ajv/dist/2020.js';
import type { NamedSchema } from '../../area.ts';
import type { Tag } from '../../openapi/openapi.ts';
import type { Routes } from './parts.ts';

/** Everything that the API has to know about one kind of thing. Each has a file here, and is listed in area.ts. */
export interface Resource {
  /** Where its addresses begin, below /api/v1. */
  prefix: string;
  /** Its tag in the OpenAPI document, which all its routes have. */
  tag: Tag;
  /** The schemas that its routes refer to by name. */
  schemas: readonly NamedSchema[];
  /** Schema keywords of its own, for a rule that JSON Schema cannot say. */
  keywords?: readonly KeywordDefinition[];
  /** Adds its operations with `operation`. */
  routes: Routes;
}
