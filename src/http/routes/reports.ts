import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { LastRecognizedPage, LastRecognizedQuery, TeamActivityPage, TeamActivityQuery } from '../../contract/report.ts';
import { ref } from '../../contract/schema.ts';
import type { Queryable } from '../../database/database.ts';
import { readLastRecognized } from '../../reports/last-recognized.ts';
import { readTeamActivity } from '../../reports/team-activity.ts';
import { problems, WorkspaceHeader } from '../openapi.ts';

export interface ReportRoutesOptions {
  database: Queryable;
}

export const reportRoutes: FastifyPluginAsyncTypebox<ReportRoutesOptions> = async (app, { database }) => {
  app.route({
    method: 'GET',
    url: '/teams/activity',
    config: { access: 'reports:read' },
    schema: {
      operationId: 'getTeamActivity',
      tags: ['Reports'],
      summary: 'Team activity report',
      description: 'Gifts and shoutouts, newest first.',
      headers: Type.Object(WorkspaceHeader),
      querystring: TeamActivityQuery,
      response: {
        200: {
          description: 'A page of activities.',
          content: { 'application/json': { schema: ref(TeamActivityPage) } },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query }) => readTeamActivity(database, caller.workspace, query),
  });

  app.route({
    method: 'GET',
    url: '/members/last-recognized',
    config: { access: 'reports:read' },
    schema: {
      operationId: 'getLastRecognized',
      tags: ['Reports'],
      summary: 'Last recognized members report',
      description: 'When each team member was last recognised; the filters combine with AND.',
      headers: Type.Object(WorkspaceHeader),
      querystring: LastRecognizedQuery,
      response: {
        200: {
          description: 'A page of team members.',
          content: { 'application/json': { schema: ref(LastRecognizedPage) } },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query: { page, size, ...filters } }) =>
      readLastRecognized(database, caller.workspace.workspaceId, filters, { page, size }),
  });
};
