import Type, { type Static } from 'typebox';
import { anId, named, ref, strictQuery } from './schema.ts';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'text',
  description: 'Unique in a workspace, ignoring case.',
  examples: ['Bookshops'],
});
const currency = Type.String({ format: 'currency', description: 'ISO 4217 code.', examples: ['CAD'] });
const lowAt = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description: 'How few codes of a retailer and value count as low: an event `pool.low`.',
  examples: [10],
});

export const NewPool = named(
  'NewPool',
  Type.Object(
    { name, currency, lowAt: Type.Optional(lowAt) },
    { description: 'A pool to add.', examples: [{ name: 'Bookshops', currency: 'CAD', lowAt: 10 }] },
  ),
);
export type NewPool = Static<typeof NewPool>;

export const PoolChange = named(
  'PoolChange',
  Type.Partial(Type.Object({ name, lowAt }), {
    description: 'What to change about a pool; fields that are left out stay as they are.',
    examples: [{ lowAt: 25 }],
  }),
);
export type PoolChange = Static<typeof PoolChange>;

export const PoolParams = Type.Object({
  id: anId('The id of the pool.'),
});

const PoolStock = named(
  'PoolStock',
  Type.Object(
    {
      retailer: Type.String({ description: 'The retailer of the codes.', examples: ['Riverside Books'] }),
      value: Type.Number({ description: 'What a code is worth.', examples: [25] }),
      left: Type.Integer({ description: 'Codes that can be given.', examples: [42] }),
      given: Type.Integer({ description: 'Codes that recipients have.', examples: [8] }),
      expired: Type.Integer({ description: 'Codes that expired before they were assigned.', examples: [0] }),
    },
    { description: 'What a pool has of one retailer and value.' },
  ),
);
export type PoolStock = Static<typeof PoolStock>;

export const Pool = named(
  'Pool',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the pool.', examples: [3] }),
      name,
      currency,
      lowAt,
      stocks: Type.Array(ref(PoolStock), { description: 'By retailer, then by value.' }),
    },
    {
      description: 'Codes of shops that recipients can spend their gifts on. What a code says is never returned here.',
    },
  ),
);
export type Pool = Static<typeof Pool>;

export const PoolList = named(
  'PoolList',
  Type.Object({ pools: Type.Array(ref(Pool), { description: 'By name.' }) }, { description: 'All pools.' }),
);
export type PoolList = Static<typeof PoolList>;

export const AddedCodes = named(
  'AddedCodes',
  Type.Object(
    {
      added: Type.Integer({ description: 'How many codes were added.', examples: [50] }),
      pool: ref(Pool, { description: 'The pool with them.' }),
    },
    { description: 'What an upload of codes added.' },
  ),
);
export type AddedCodes = Static<typeof AddedCodes>;

/** Which unassigned codes to remove. */
export const CodeRemoval = strictQuery({
  retailer: Type.Optional(
    Type.String({
      maxLength: 200,
      format: 'text',
      description: 'Only codes of this retailer.',
      examples: ['Riverside Books'],
    }),
  ),
  value: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 10_000,
      description: 'Only codes that are worth this.',
      examples: [25],
    }),
  ),
});
export type CodeRemoval = Static<typeof CodeRemoval>;

export const RemovedCodes = named(
  'RemovedCodes',
  Type.Object(
    {
      removed: Type.Integer({ description: 'How many codes were removed.', examples: [50] }),
      pool: ref(Pool, { description: 'The pool without them.' }),
    },
    { description: 'What a removal of codes removed.' },
  ),
);
export type RemovedCodes = Static<typeof RemovedCodes>;

export const poolSchemas = [NewPool, PoolChange, PoolStock, Pool, PoolList, AddedCodes, RemovedCodes];
