import Fastify from 'fastify';

/** Fastify's part alone: it reads a body, or a path, and answers a constant. */
const { PORT } = process.env;
const app = Fastify();

const answer = () => ({
  requestId: '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f',
  requestStatus: 'ACCEPTED',
  orderStep: 'PENDING',
  orderId: null,
  customerRequestId: null,
});

app.post('/api/v1/orders', async (_request, reply) => {
  reply.code(201);
  return answer();
});
app.get('/api/v1/orders/status/:requestId', async () => answer());

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
