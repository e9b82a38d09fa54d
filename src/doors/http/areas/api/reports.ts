import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { listVisitedWorkspaces } from '../../../../company/access/users.ts';
import { coverageSchemas } from '../../../../ground/contract/coverage.ts';
import { overviewSchemas } from '../../../../ground/contract/overview.ts';
import {
  LastRecognizedPage,
  LastRecognizedQuery,
  reportSchemas,
  TeamActivityPage,
  TeamActivityQuery,
} from '../../../../ground/contract/report.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { taxLogSchemas } from '../../../../ground/contract/tax-log.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { Answers } from '../../../../insight/reports/answers.ts';
import { readLastRecognized } from '../../../../insight/reports/last-recognized.ts';
import { streamLastRecognized } from '../../../../insight/reports/last-recognized-file.ts';
import { lastRecognizedColumns } from '../../../../insight/reports/last-recognized-snapshot.ts';
import { Companies } from '../../../../insight/reports/memory/companies.ts';
import {
  readTeamActivity,
  streamTeamActivity,
  teamActivityColumns,
} from '../../../../insight/reports/team-activity.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv } from './exports.ts';
import { asksForCsv } from './media.ts';
import { groupReportRoutes, type ReportOptions } from './report-groups.ts';
import type { Resource } from './resource.ts';
import { taxLogRoutes } from './tax-log.ts';

const reportRoutes: FastifyPluginAsyncTypebox<ReportOptions> = async (app, options) => {
  const { reports, lookUps, exports } = options;
  const companies = new Companies(lookUps);
  await groupReportRoutes(app, { ...options, answers: new Answers(lookUps), companies });
  // So that nobody who signs in waits until a large company is read. Where it fails, the first question reads it.
  app.addHook('onListen', async () => {
    readAhead(lookUps, companies).then(
      (workspaces) => app.log.debug({ workspaces }, 'Reports were read ahead.'),
      (error) => app.log.debug({ err: error }, 'Reports could not be read ahead.'),
    );
  });
  await taxLogRoutes(app, { reports, exports });

  app.route({
    method: 'GET',
    url: '/teams/activity',
    config: { access: 'reports:read', csv: true, forManagers: true },
    schema: {
      operationId: 'getTeamActivity',
      summary: 'Team activity report',
      description:
        'Gifts and shoutouts, newest first. Private ones are flagged. Unknown parameters are ignored. `Accept: text/csv` returns all rows as CSV.',
      headers: Type.Object(WorkspaceHeader),
      querystring: TeamActivityQuery,
      response: {
        200: {
          description: 'A page of activities.',
          content: { 'application/json': { schema: ref(TeamActivityPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { caller, query } = request;
      if (!asksForCsv(request)) return readTeamActivity(lookUps, companies, caller.workspace, query);
      if (caller.workspace.onlyReportsOf !== null)
        throw new Failure(
          'forbidden',
          'The file has everybody, and managers see their own reports only: read the pages.',
        );
      const file = {
        name: 'team-activity',
        columns: teamActivityColumns,
        rows: streamTeamActivity(exports.databaseFor(request), caller.workspace),
        hasByteOrderMark: query.bom,
      };
      return sendCsv(reply, file, exports);
    },
  });

  app.route({
    method: 'GET',
    url: '/members/last-recognized',
    config: { access: 'reports:read', csv: true },
    schema: {
      operationId: 'getLastRecognized',
      summary: 'Last recognized members report',
      description:
        'When each team member was last recognized. Filters combine with AND. Unknown parameters are ignored. `Accept: text/csv` returns all rows as CSV.',
      headers: Type.Object(WorkspaceHeader),
      querystring: LastRecognizedQuery,
      response: {
        200: {
          description: 'A page of team members.',
          content: { 'application/json': { schema: ref(LastRecognizedPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { page, size, bom, ...filters } = request.query;
      const { workspaceId } = request.caller.workspace;
      if (!asksForCsv(request)) return readLastRecognized(reports, workspaceId, filters, { page, size });
      const file = {
        name: 'last-recognized',
        columns: lastRecognizedColumns,
        rows: streamLastRecognized(exports.databaseFor(request), workspaceId, filters),
        hasByteOrderMark: bom,
      };
      return sendCsv(reply, file, exports);
    },
  });
};

export const reports: Resource<ReportOptions> = {
  prefix: '/reports',
  tag: {
    name: 'Reports',
    description: 'Who was recognized, when last, how many of each group, and what needs attention.',
  },
  schemas: [...reportSchemas, ...overviewSchemas, ...coverageSchemas, ...taxLogSchemas],
  routes: reportRoutes,
};

/** Of how many workspaces a start reads what reports count, if there is room for them. */
const mostReadAhead = 20;

async function readAhead(on: Queryable, companies: Companies): Promise<number[]> {
  const workspaces = await listVisitedWorkspaces(on, mostReadAhead);
  await companies.readAhead(workspaces);
  return workspaces;
}
