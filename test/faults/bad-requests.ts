import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Random } from '../support/random.ts';
import type { Client } from './client.ts';
import { type Answer, hung } from './journal.ts';

export interface BadRequest {
  method: string;
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string | Buffer;
}

const id = '01890000-0000-7000-8000-000000000000';
const junk = [
  'null',
  'true',
  '[]',
  '{}',
  '-1',
  '1e400',
  '123456789012345678',
  '"\\u0000"',
  '"\\ud800"',
  '""',
  '[[[]]]',
];
const texts = [
  '',
  '%',
  '%00',
  '%ff',
  "' or 1=1 --",
  '../..',
  '\u{1f381}',
  'a'.repeat(3_000),
  '-1',
  '1e9',
  '0x10',
  '[]',
  '{',
  'NaN',
];

/** A request that must be refused and record nothing. */
export function makeBadRequest(random: Random, client: Client): BadRequest {
  const good = client.headers(`bad-${random.int(0, 0xffffffff)}`);
  const kind = random.pick([badOrder, badOrder, badBody, badRead, badPath, badHeaders, badScim, badShoutout]);
  return kind(random, good);
}

function badOrder(random: Random, headers: OutgoingHttpHeaders): BadRequest {
  const gift = { message: 'Thank you', amount: 25, recipient: { email: 'ada@example.com' } };
  const order = { currency: 'CAD', orderItems: Array.from({ length: random.int(1, 5) }, () => gift) };
  const good = JSON.stringify(order);
  const body = random.pick([
    () => good.replace('"CAD"', random.pick(junk)),
    () => good.replace('25', random.pick(junk)),
    () => good.replace('"Thank you"', random.pick(junk)),
    () => good.replace('{"email":"ada@example.com"}', random.pick(junk)),
    () => good.replace('ada@example.com', random.pick(texts).replace(/["\\]/g, '')),
    () => good.replace('{', '{"currency":"CAD",'),
    () => good.slice(0, random.int(0, good.length - 1)),
    () => JSON.stringify({ ...order, orderItems: Array(1_001).fill(gift) }),
    () => JSON.stringify({ ...order, orderItems: random.pick([[], {}, 'x', null]) }),
  ])();
  return { method: 'POST', path: '/api/v1/orders', headers, body };
}

function badBody(random: Random, headers: OutgoingHttpHeaders): BadRequest {
  const count = random.int(1, 30_000);
  const body = random.pick([
    () => '['.repeat(count),
    () => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`,
    () => `[${'1,'.repeat(count)}1.2345678901234567890]`,
    () => `"${'\\u00e9'.repeat(count)}"`,
    () => ' '.repeat(count),
    () => Buffer.from(Array.from({ length: 200 }, () => random.int(0, 255))),
    () => random.pick(junk),
  ])();
  const path = random.pick([
    '/api/v1/orders',
    '/api/v1/shoutouts',
    '/api/v1/reasons',
    '/scim/v2/Users',
    '/scim/v2/Groups',
  ]);
  return { method: 'POST', path, headers, body };
}

function badRead(random: Random, headers: OutgoingHttpHeaders): BadRequest {
  const value = encodeURIComponent(random.pick(texts));
  const path = random.pick([
    `/api/v1/orders/status/${value}`,
    `/api/v1/orders/${id}?page=${value || 'x'}x`,
    `/api/v1/orders/${id}?size=0`,
    `/api/v1/reports/teams/activity?size=${value}x`,
    `/api/v1/reports/members/last-recognized?page=-1&manager=${value}`,
    `/api/v1/members?${value}x=1`,
    `/api/v1/members/${value}x`,
    `/api/v1/shoutouts?status=${value}`,
    `/api/v1/reasons?${value}x`,
    `/scim/v2/Users?filter=${value}x`,
    `/scim/v2/Groups?filter=${encodeURIComponent('displayName eq')}${value}`,
  ]);
  return { method: 'GET', path, headers };
}

function badPath(random: Random, headers: OutgoingHttpHeaders): BadRequest {
  const method = random.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']);
  const path = random.pick([
    '/api',
    '/api/v1/order',
    '/api/v2/orders',
    '/%',
    '/api/v1/orders/a/b/c',
    '/scim',
    '//',
    '/docs/static/x',
  ]);
  return { method, path, headers };
}

function badHeaders(random: Random, headers: OutgoingHttpHeaders): BadRequest {
  const other = random.pick<OutgoingHttpHeaders>([
    { Authorization: random.pick(['', 'Bearer', 'Bearer x', 'Basic eA==', `Bearer gw_test_${'a'.repeat(33)}`]) },
    { 'X-Workspace-id': random.pick(['', '0', '-1', 'x', '99999999999999999999', '1, 1']) },
    { 'Content-Type': random.pick(['text/plain', 'application/xml', 'application/json; charset=latin1', ';']) },
    { 'Content-Encoding': random.pick(['gzip', 'br', 'x']) },
    { Accept: random.pick(['text/html', 'image/*', 'application/json;q=0']) },
    { 'Idempotency-Key': '' },
    { 'Idempotency-Key': 'x'.repeat(256) },
    { Expect: 'wonders' },
  ]);
  return { method: 'POST', path: '/api/v1/orders', headers: { ...headers, ...other }, body: '{}' };
}

function badScim(random: Random, headers: OutgoingHttpHeaders): BadRequest {
  const value = random.pick(junk);
  const [method, path, body] = random.pick([
    ['POST', '/scim/v2/Users', `{"userName":${value === '""' ? 'null' : value},"userName":1}`],
    ['PUT', '/scim/v2/Users/999999999', `{"userName":"x","emails":${value}}`],
    ['PATCH', '/scim/v2/Users/999999999', `{"Operations":[{"op":${value},"path":"${value.replace(/["\\]/g, '')}"}]}`],
    ['PATCH', '/scim/v2/Groups/999999999', `{"Operations":[{"op":"add","path":"members[","value":${value}}]}`],
    ['DELETE', '/scim/v2/Users/999999999', ''],
    [
      'POST',
      '/scim/v2/Groups',
      `{"displayName":${value === '123456789012345678' || value === '-1' ? 'null' : value},"a":1,"a":2}`,
    ],
  ] as const);
  return { method, path, headers: { ...headers, 'Content-Type': 'application/scim+json' }, body };
}

function badShoutout(random: Random, headers: OutgoingHttpHeaders): BadRequest {
  const value = random.pick(junk);
  const path = random.pick([
    '/api/v1/shoutouts',
    `/api/v1/shoutouts/${random.int(1e9, 2e9)}/approve`,
    '/api/v1/shoutouts/x/decline',
  ]);
  return { method: 'POST', path, headers, body: `{"message":${value},"recipient":${value},"reasonId":"x"}` };
}

export function sendBadRequest(
  url: string,
  agent: Agent,
  { method, path, headers, body }: BadRequest,
  hungAfterMs: number,
): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve) => {
    const finish = (answer: Partial<Answer>) => {
      clearTimeout(timer);
      resolve({
        status: 0,
        lost: null,
        retryAfter: null,
        replayed: false,
        text: '',
        ...answer,
        ms: performance.now() - began,
      });
    };
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...length }, agent });
    const timer = setTimeout(() => {
      finish({ lost: hung });
      sent.destroy();
    }, hungAfterMs);
    sent.on('error', (error: NodeJS.ErrnoException) => finish({ lost: error.code ?? error.message }));
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => finish({ status: response.statusCode as number, text }));
    });
    sent.end(body);
  });
}
