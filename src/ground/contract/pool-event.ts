import Type from 'typebox';
import { named } from './schema.ts';

const data = named(
  'PoolStockEventData',
  Type.Object({
    poolId: Type.Integer({ description: 'The id of the pool.', examples: [3] }),
    retailer: Type.String({ description: 'The retailer of the codes.', examples: ['Riverside Books'] }),
    value: Type.Number({ description: 'What a code is worth.', examples: [25] }),
    currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
    left: Type.Integer({ description: 'Codes that can be given.', examples: [10] }),
  }),
);

export const poolEvents = {
  'pool.low': {
    meaning: 'Few codes of a retailer and value are left in a pool. Once, until codes are added.',
    data,
  },
  'pool.empty': {
    meaning: 'No code of a retailer and value is left in a pool. Recipients keep their balance.',
    data,
  },
} as const;
