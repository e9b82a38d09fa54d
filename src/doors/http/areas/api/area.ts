import type { FastifyInstance } from 'fastify';
import { activitySchemas } from '../../../../ground/contract/activity.ts';
import { Problem } from '../../../../ground/contract/problem.ts';
import { recipientSchemas } from '../../../../ground/contract/recipient.ts';
import { type Area, namedPlugin } from '../../area.ts';
import { readJsonBody } from '../../body/json-body.ts';
import { type AuthenticateBy, workspaceOfHeader } from '../../callers/authenticate.ts';
import type { ReadSession } from '../../callers/session-cookie.ts';
import { createSerializerCompiler } from '../../serialization.ts';
import { createValidatorCompiler } from '../../validation.ts';
import { tidyApiAddress } from './address.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { automations } from './automations.ts';
import { balances } from './balances.ts';
import { bounces } from './bounces.ts';
import { budgets } from './budgets.ts';
import { bulkActions } from './bulk-actions.ts';
import { clock } from './clock.ts';
import { customFields } from './custom-fields.ts';
import { employeeSettings } from './employee-settings.ts';
import { erasures } from './erasures.ts';
import { events } from './events.ts';
import { feed } from './feed.ts';
import { createFormats } from './formats.ts';
import { gifts } from './gifts.ts';
import { kioskCodes } from './kiosk-codes.ts';
import { ledger } from './ledger.ts';
import { mail } from './mail.ts';
import { me } from './me.ts';
import { refuseOtherMedia } from './media.ts';
import { members } from './members.ts';
import { myData } from './my-data.ts';
import { myGifts } from './my-gifts.ts';
import { myShoutouts } from './my-shoutouts.ts';
import { mySpending } from './my-spending.ts';
import { orders } from './orders.ts';
import { outbox } from './outbox.ts';
import type { ApiParts } from './parts.ts';
import { payroll } from './payroll.ts';
import { pools } from './pools.ts';
import { preferences } from './preferences.ts';
import { reasons } from './reasons.ts';
import { redemptions } from './redemptions.ts';
import { reports } from './reports.ts';
import type { Resource } from './resource.ts';
import { retention } from './retention.ts';
import { rules } from './rules.ts';
import { settings } from './settings.ts';
import { shoutouts } from './shoutouts.ts';
import { spendingOptions } from './spending-options.ts';
import { spendingRequests } from './spending-requests.ts';
import { tokens } from './tokens.ts';
import { undo } from './undo.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route has a schema for its body. */
    hasBody?: boolean;
  }
}

/** All resources of the API, in the order of the document. A new one is a file and an entry here. */
const resources: readonly Resource[] = [
  orders,
  gifts,
  myGifts,
  mySpending,
  bulkActions,
  redemptions,
  spendingOptions,
  bounces,
  balances,
  budgets,
  ledger,
  pools,
  payroll,
  reports,
  members,
  erasures,
  kioskCodes,
  customFields,
  shoutouts,
  feed,
  myData,
  myShoutouts,
  reasons,
  rules,
  approvals,
  automations,
  events,
  webhooks,
  users,
  tokens,
  audit,
  undo,
  me,
  preferences,
  settings,
  employeeSettings,
  retention,
  mail,
  outbox,
  spendingRequests,
  clock,
];

/** Recipients and activities belong to several resources. */
const schemas = [
  Problem,
  ...recipientSchemas,
  ...activitySchemas,
  ...resources.flatMap((resource) => resource.schemas),
];
const keywords = resources.flatMap((resource) => resource.keywords ?? []);
const compileSerializer = createSerializerCompiler(schemas);

/** The JSON interface for programs and for the console: bearer tokens or sessions, a header that names the workspace, Problem JSON. */
export function apiArea(parts: ApiParts, authenticateBy: AuthenticateBy, readSession: ReadSession): Area {
  return {
    prefix: '/api',
    servesOtherOrigins: true,
    authenticate: authenticateBy(workspaceOfHeader, readSession),
    schemas,
    tags: resources.map(({ tag }) => tag),
    tidyAddress: tidyApiAddress,
    async plugin(app) {
      app.decorate('requestKeys', parts.people);
      app.decorate('readTraces', parts.traces);
      app.addHook('onRequest', refuseOtherMedia);
      app.setValidatorCompiler(
        createValidatorCompiler({
          schemas,
          keywords,
          formats: createFormats(parts.currencies),
          checkedBefore: ['X-Workspace-id'],
        }),
      );
      app.setSerializerCompiler(compileSerializer);
      readJsonBodies(app);
      for (const resource of resources) await serve(app, resource, parts);
    },
  };
}

async function serve(app: FastifyInstance, { prefix, tag, routes }: Resource, parts: ApiParts): Promise<void> {
  const plugin = async (scope: FastifyInstance) => {
    scope.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, tags: [tag.name] };
      route.config = { ...route.config, hasBody: route.schema.body !== undefined };
    });
    await routes(scope, parts);
  };
  await app.register(namedPlugin(tag.name, plugin), { prefix: `/v1${prefix}` });
}

/** Bodies are ignored on routes without a body schema. */
function readJsonBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { hasBody, bodyIsOptional, maxValues } = request.route;
    if (hasBody && !(body.length === 0 && bodyIsOptional)) readJsonBody(request, body, maxValues, done);
    else done(null, undefined);
  });
}
