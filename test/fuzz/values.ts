import fc from 'fast-check';
import { type OpenApiDocument, resolve } from '../support/openapi.ts';
import type { Random } from '../support/random.ts';
import type { Records } from './records.ts';

// biome-ignore lint/suspicious/noExplicitAny: schemas and values of every form are walked here.
export type Json = any;

/** How deep optional fields and elements of lists are filled in. */
const maxDepth = 6;

/** Draws values that a schema of the document allows. Fields that name a record mostly name one that exists. */
export class Values {
  readonly #document: OpenApiDocument;
  readonly #records: Records;
  readonly #random: Random;

  constructor(document: OpenApiDocument, records: Records, random: Random) {
    this.#document = document;
    this.#records = records;
    this.#random = random;
  }

  draw(given: Json, name = '', depth = 0): Json {
    const random = this.#random;
    const schema = resolve(this.#document, given) ?? {};
    if (random.chance(0.8)) {
      const known = this.#known(name, schema);
      if (known !== undefined) return known;
    }
    if (schema.enum) return random.pick(schema.enum);
    if (schema.const !== undefined) return schema.const;
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return this.draw(random.pick(options), name, depth);
    const example = schema.examples?.[0] ?? schema.default;
    if (example !== undefined && random.chance(0.4)) return example;
    return this.#byType(schema, name, depth);
  }

  #byType(schema: Json, name: string, depth: number): Json {
    const type = this.#random.pick([schema.type ?? 'object'].flat());
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array': {
        const least = schema.minItems ?? 0;
        const most = Math.min(schema.maxItems ?? 4, Math.max(least, 4));
        return Array.from({ length: this.#random.int(least, most) }, () => this.draw(schema.items, name, depth + 1));
      }
      case 'integer':
      case 'number':
        return this.#number(schema, type === 'integer');
      case 'boolean':
        return this.#random.chance(0.5);
      case 'null':
        return null;
      default:
        return this.#text(schema);
    }
  }

  #object(schema: Json, depth: number): Json {
    const required: string[] = schema.required ?? [];
    const kept = Object.entries(schema.properties ?? {}).filter(
      ([name]) => required.includes(name) || (depth < maxDepth && this.#random.chance(0.5)),
    );
    return Object.fromEntries(kept.map(([name, inner]) => [name, this.draw(inner, name, depth + 1)]));
  }

  #number(schema: Json, isWhole: boolean): number {
    const least = schema.minimum ?? 0;
    const most = schema.maximum ?? 1_000;
    const drawn = this.#random.pick([
      () => least,
      () => most,
      () => this.#random.int(least, Math.min(most, least + 30)),
      () => this.#random.int(least, Math.min(most, least + 5_000)),
    ])();
    return isWhole ? drawn : Math.max(least, drawn - this.#random.pick([0, 0, 0.5, 0.25]));
  }

  #text(schema: Json): string {
    const random = this.#random;
    const { minLength = 0, maxLength = 60 } = schema;
    switch (schema.format) {
      case 'email':
        return `person${random.int(1, 100_000)}@example.com`;
      case 'date':
        return this.#moment().slice(0, 10);
      case 'date-time':
        return this.#moment();
      case 'uuid':
        return `01890000-0000-7000-8000-${String(random.int(1, 999_999)).padStart(12, '0')}`;
    }
    const length = { minLength: Math.max(minLength, 1), maxLength: Math.min(maxLength, minLength + 40) };
    const unit = random.pick(['grapheme', 'grapheme-ascii'] as const);
    const texts = schema.pattern ? fc.stringMatching(new RegExp(schema.pattern)) : fc.string({ unit, ...length });
    const [text = ''] = fc.sample(texts, { seed: random.int(0, 0x7fffffff), numRuns: 1 });
    return text;
  }

  #moment(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#random.int(-800, 800) * 43_200_000).toISOString();
  }

  /** A record that exists, or a value that the service knows. */
  #known(name: string, schema: Json): Json {
    const { ids, emails, employeeNumbers, codes, own } = this.#records;
    const isText = [schema.type].flat().includes('string');
    const id = (kind: keyof typeof ids) => (isText ? ids[kind] : Number(ids[kind]));
    switch (name) {
      case 'memberId':
      case 'managerId':
      case 'member':
      case 'into':
        return id('members');
      case 'spendingOption':
        return this.#random.pick(['payroll', ...own.options]);
      case 'gifts':
        return own.gifts?.length && !schema.properties && schema.type !== 'array'
          ? Number(this.#random.pick(own.gifts))
          : undefined;
      case 'requestIds':
        return schema.type === 'string' ? ids.approvals : undefined;
      case 'forDay':
        return this.#random.pick(['2027-03-13', '2027-03-14']);
      case 'reasonId':
        return id('reasons');
      case 'poolId':
        return id('pools');
      case 'eventId':
        return ids.events;
      case 'requestId':
        return ids.orders;
      case 'gift':
      case 'ids':
        return id('gifts');
      case 'email':
      case 'userName':
        return isText ? this.#random.pick(emails) : undefined;
      case 'employeeNumber':
        return this.#random.pick(employeeNumbers);
      case 'token':
        return codes.length > 0 ? this.#random.pick(codes) : undefined;
      case 'currency':
        return this.#random.pick(['CAD', 'CAD', 'EUR', 'JPY', 'KWD']);
      case 'language':
        return this.#random.pick(['EN_CA', 'FR_CA', 'ES_MX']);
      case 'wait':
        return this.#random.int(0, 1);
      case 'url':
        return `https://hooks.example.com/${this.#random.int(1, 1_000)}`;
    }
    return undefined;
  }
}
