import Fastify from 'fastify';
import pg from 'pg';

/**
 * The service that one would write first: Fastify, its schemas and its log, a token to compare with, and one statement
 * of pg's pool for each request. It fulfils nothing and looks nobody up, so it has less to do than Giftwire has.
 */
const { DATABASE_URL, TOKEN, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
const app = Fastify({ logger: true });

await pool.query(`
  create table if not exists orders (
    request_id          uuid primary key default gen_random_uuid(),
    workspace_id        bigint not null,
    customer_request_id text,
    idempotency_key     text,
    body                jsonb not null,
    created_at          timestamptz not null default now(),
    unique (workspace_id, idempotency_key)
  )`);

app.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization !== `Bearer ${TOKEN}`)
    return reply.code(401).send({ status: 401, message: 'The credential is missing or wrong.', type: 'Unauthorized' });
});

const status = {
  type: 'object',
  properties: {
    requestId: { type: 'string' },
    requestStatus: { type: 'string' },
    orderStep: { type: 'string' },
    orderId: { type: ['integer', 'null'] },
    customerRequestId: { type: ['string', 'null'] },
  },
};

const headers = {
  type: 'object',
  required: ['x-workspace-id'],
  properties: {
    'x-workspace-id': { type: 'integer' },
    'x-customer-request-id': { type: 'string', maxLength: 255 },
    'idempotency-key': { type: 'string', maxLength: 255 },
  },
};

const order = {
  type: 'object',
  required: ['currency', 'orderItems'],
  properties: {
    currency: { type: 'string', minLength: 3, maxLength: 3 },
    language: { type: 'string' },
    orderItems: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: {
        type: 'object',
        required: ['message', 'amount', 'recipient'],
        properties: {
          message: { type: 'string', minLength: 1, maxLength: 1000 },
          amount: { type: 'number', minimum: 1, maximum: 10000 },
          recipient: {
            type: 'object',
            properties: {
              firstName: { type: 'string', maxLength: 100 },
              lastName: { type: 'string', maxLength: 100 },
              email: { type: 'string', format: 'email' },
              employeeNumber: { type: 'string', maxLength: 64 },
            },
            anyOf: [{ required: ['email'] }, { required: ['employeeNumber'] }],
          },
        },
      },
    },
  },
};

interface Headers {
  'x-workspace-id': number;
  'x-customer-request-id'?: string;
  'idempotency-key'?: string;
}

app.post<{ Headers: Headers }>(
  '/api/v1/orders',
  { schema: { headers, body: order, response: { 201: status } } },
  async (request, reply) => {
    const customerRequestId = request.headers['x-customer-request-id'] ?? null;
    const { rows } = await pool.query(
      `insert into orders (workspace_id, customer_request_id, idempotency_key, body)
       values ($1, $2, $3, $4) returning request_id`,
      [request.headers['x-workspace-id'], customerRequestId, request.headers['idempotency-key'] ?? null, request.body],
    );
    reply.code(201);
    return {
      requestId: rows[0].request_id,
      requestStatus: 'ACCEPTED',
      orderStep: 'PENDING',
      orderId: null,
      customerRequestId,
    };
  },
);

app.get<{ Headers: Headers; Params: { requestId: string } }>(
  '/api/v1/orders/status/:requestId',
  {
    schema: {
      headers,
      params: { type: 'object', properties: { requestId: { type: 'string', format: 'uuid' } } },
      response: { 200: status },
    },
  },
  async (request, reply) => {
    const { rows } = await pool.query(
      'select request_id, customer_request_id from orders where workspace_id = $1 and request_id = $2',
      [request.headers['x-workspace-id'], request.params.requestId],
    );
    if (rows.length === 0)
      return reply.code(404).send({ status: 404, message: 'There is no such order.', type: 'Not Found' });
    return {
      requestId: rows[0].request_id,
      requestStatus: 'ACCEPTED',
      orderStep: 'PENDING',
      orderId: null,
      customerRequestId: rows[0].customer_request_id,
    };
  },
);

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
