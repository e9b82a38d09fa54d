import assert from 'node:assert/strict';
import type { AddedCodes, NewPool, Pool } from '../../src/ground/contract/pool.ts';
import type { Answer, Call } from './service.ts';

type Caller = <Body>(path: string, asked?: Call) => Promise<Answer<Body>>;

/** What an owner does with pools. */
export function createPools(call: Caller) {
  const upload = (id: number, file: string | Uint8Array) =>
    call<AddedCodes>(`/api/v1/pools/${id}/codes`, {
      method: 'POST',
      body: file,
      headers: { 'Content-Type': 'text/csv' },
    });
  return {
    async add(pool: Partial<NewPool> = {}): Promise<Pool> {
      const body = { name: `Shops ${crypto.randomUUID()}`, currency: 'CAD', lowAt: 0, ...pool };
      const answer = await call<Pool>('/api/v1/pools', { method: 'POST', body });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body;
    },
    upload,
    /** Adds lines behind the header, which must succeed. */
    async fill(id: number, ...lines: string[]): Promise<Pool> {
      const answer = await upload(id, codeFile(...lines));
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.pool;
    },
    read: async (id: number): Promise<Pool> => (await call<Pool>(`/api/v1/pools/${id}`)).body,
  };
}

export function codeFile(...lines: string[]): string {
  return ['retailer,value,code,pin,expiry', ...lines, ''].join('\n');
}

/** A line with a code that nobody else has. */
export function aCode(retailer = 'Riverside Books', value = 25, expiry = ''): string {
  return `${retailer},${value},${crypto.randomUUID()},4417,${expiry}`;
}
