import type { Grants } from '../../src/company/access/grants.ts';
import { TokenUses } from '../../src/company/access/token-uses.ts';
import { apiArea } from '../../src/doors/http/areas/api/area.ts';
import type { ApiParts } from '../../src/doors/http/areas/api/parts.ts';
import { healthArea } from '../../src/doors/http/areas/health/area.ts';
import { createAuthentication } from '../../src/doors/http/callers/authenticate.ts';
import { createServer } from '../../src/doors/http/server.ts';
import { makeRequestId } from '../../src/giving/orders/request-id.ts';
import { statusRecord } from '../../src/giving/orders/status.ts';
import { createLog } from '../../src/ground/log.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { currencies } from '../../src/ground/values/money.ts';

/**
 * Giftwire's own HTTP server with everything in front of its database and nothing behind: requests are authenticated,
 * checked, logged and measured, then answered at once. What storing costs is the difference to the real one.
 */
const { TOKEN, PORT } = process.env;

const workspace = {
  workspaceId: 1,
  accountId: 1,
  memberId: 1,
  senderName: 'Bench',
  language: 'EN_CA',
  refusesUnknownEmployeeNumbers: false,
  scopes: ['orders:write', 'orders:read'],
  role: null,
  onlyReportsOf: null,
};
const grant = {
  callerId: 1,
  token: { id: 1, name: 'Bench' },
  session: null,
  expiresAt: null,
  lastsMs: null,
  rateLimitPerMinute: null,
  workspaces: [workspace],
};
const known = new Map([[TOKEN, grant]]);
const record = (requestId: string, customerRequestId: string | null) =>
  statusRecord({ requestId, customerRequestId, orderId: null, finished: false });

const find = (secret: string) => known.get(secret) ?? null;
const metrics = createMetrics();
// The other resources are there too, as in the real server, and are not asked.
const parts = {
  currencies,
  desk: {},
  steps: {},
  acceptance: {
    accept: async ({ customerRequestId }: { customerRequestId: string | null }) => ({
      record: record(makeRequestId(), customerRequestId),
      replayed: false,
    }),
  },
  orders: { status: async (_workspaceId: number, requestId: string) => record(requestId, null) },
};
const grants = { recall: find, find: async (secret: string) => find(secret) } as unknown as Grants;
const uses = new TokenUses({ query: async () => [] }, { onProblem: () => {} });
const areas = [
  healthArea({ readiness: async () => ({}) as never, metrics, isDraining: () => false }),
  apiArea(parts as unknown as ApiParts, createAuthentication(grants, uses), () => ''),
];

const app = await createServer({ log: await createLog('info'), metrics, areas });
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
