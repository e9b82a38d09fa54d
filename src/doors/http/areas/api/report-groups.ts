import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  CoveragePage,
  CoverageQuery,
  FairnessPage,
  FairnessQuery,
  NotRecognizedPage,
  NotRecognizedQuery,
} from '../../../../ground/contract/coverage.ts';
import { Overview, OverviewQuery, Series, SeriesQuery } from '../../../../ground/contract/overview.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import type { Answers } from '../../../../insight/reports/answers.ts';
import { coverageColumns, readCoverage } from '../../../../insight/reports/coverage.ts';
import { fairnessColumns, fairnessLine, readFairness } from '../../../../insight/reports/fairness.ts';
import type { Companies } from '../../../../insight/reports/memory/companies.ts';
import {
  notRecognizedColumns,
  readNotRecognized,
  streamNotRecognized,
} from '../../../../insight/reports/not-recognized.ts';
import { readOverview } from '../../../../insight/reports/overview.ts';
import type { Rows } from '../../../../insight/reports/pieces.ts';
import { readSeries, seriesColumns, seriesLine } from '../../../../insight/reports/series.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';

export interface ReportOptions {
  reports: Queryable;
  /** For statements that read by key. */
  lookUps: Queryable;
  exports: Exports;
}

// Managers read them about their own reports.
const access = { access: 'reports:read', csv: true, forManagers: true } as const;
const headers = Type.Object(WorkspaceHeader);
const asCsv = (description: string) => ({ schema: Type.String({ description }) });

interface Options extends ReportOptions {
  answers: Answers;
  companies: Companies;
}

/** Reports about groups of people and spans of days. Their files are short: as many rows as there are groups, or people. */
export const groupReportRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { reports, lookUps, exports, answers, companies },
) => {
  const sendRows = (request: FastifyRequest, reply: FastifyReply, file: ShortFile) => {
    const { bom } = request.query as { bom: boolean };
    return sendCsv(reply, { ...file, hasByteOrderMark: bom }, exports);
  };

  app.route({
    method: 'GET',
    url: '/overview',
    config: { access: 'reports:read', forManagers: true },
    schema: {
      operationId: 'getOverview',
      summary: 'What needs attention, and this month beside last',
      description:
        'The months are compared in equal spans: 1 to 16 November beside 1 to 16 October. What needs attention is always of now.',
      headers,
      querystring: OverviewQuery,
      response: {
        200: { description: 'The overview.', content: { 'application/json': { schema: ref(Overview) } } },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query }) => readOverview({ reports, lookUps }, { answers, companies }, caller.workspace, query),
  });

  app.route({
    method: 'GET',
    url: '/series',
    config: access,
    schema: {
      operationId: 'getSeries',
      summary: 'Recognition over time',
      description: 'Gifts, shoutouts and amounts by day, week or month. `Accept: text/csv` returns the points as CSV.',
      headers,
      querystring: SeriesQuery,
      response: {
        200: {
          description: 'The points of the series.',
          content: { 'application/json': { schema: ref(Series) }, 'text/csv': asCsv('A row for each point.') },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const read = () => readSeries(reports, request.caller.workspace, request.query);
      if (!asksForCsv(request)) return read();
      const rows = piece(async () => (await read()).points.map(seriesLine));
      return sendRows(request, reply, { name: 'recognition-over-time', columns: seriesColumns, rows });
    },
  });

  app.route({
    method: 'GET',
    url: '/coverage',
    config: access,
    schema: {
      operationId: 'getCoverage',
      summary: 'How many people of each group were recognized',
      description:
        'By department, team, location, manager, cost centre or month, as of any day. `Accept: text/csv` returns all groups as CSV.',
      headers,
      querystring: CoverageQuery,
      response: {
        200: {
          description: 'A page of groups, and the counts of the company.',
          content: { 'application/json': { schema: ref(CoveragePage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { query } = request;
      const { workspace } = request.caller;
      const read = (page: object) => readCoverage(reports, companies, workspace, { ...query, ...page });
      if (!asksForCsv(request)) return answers.read(workspace, { report: 'coverage', ...query }, () => read({}));
      const rows = piece(async () => (await read(everything)).groups);
      return sendRows(request, reply, { name: `coverage-by-${query.by}`, columns: coverageColumns, rows });
    },
  });

  app.route({
    method: 'GET',
    url: '/fairness',
    config: access,
    schema: {
      operationId: 'getFairness',
      summary: "How many of each manager's people were recognized",
      description: 'The managers with the smallest share first. `Accept: text/csv` returns all managers as CSV.',
      headers,
      querystring: FairnessQuery,
      response: {
        200: {
          description: 'A page of managers, and the counts of the company.',
          content: { 'application/json': { schema: ref(FairnessPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { query } = request;
      const { workspace } = request.caller;
      const read = (page: object) => readFairness(reports, companies, workspace, { ...query, ...page });
      if (!asksForCsv(request)) return answers.read(workspace, { report: 'fairness', ...query }, () => read({}));
      const rows = piece(async () => (await read(everything)).managers.map(fairnessLine));
      return sendRows(request, reply, { name: 'fairness', columns: fairnessColumns, rows });
    },
  });

  app.route({
    method: 'GET',
    url: '/members/not-recognized',
    config: access,
    schema: {
      operationId: 'getNotRecognized',
      summary: 'People who were never or not lately recognized',
      description: 'Filters combine with AND. `Accept: text/csv` returns all of them as CSV.',
      headers,
      querystring: NotRecognizedQuery,
      response: {
        200: {
          description: 'A page of people.',
          content: { 'application/json': { schema: ref(NotRecognizedPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { page, size, bom: _, ...filters } = request.query;
      const { workspace } = request.caller;
      const read = () => readNotRecognized(reports, companies, workspace, filters, { page, size });
      if (!asksForCsv(request)) return answers.read(workspace, { report: 'not-recognized', ...request.query }, read);
      const rows = streamNotRecognized(exports.databaseFor(request), companies, workspace, filters);
      return sendRows(request, reply, { name: 'not-recognized', columns: notRecognizedColumns, rows });
    },
  });
};

interface ShortFile {
  name: string;
  columns: readonly string[];
  rows: AsyncGenerator<Rows>;
}

const everything = { page: 0, size: 1_000_000 };

async function* piece(read: () => Promise<object[]>): AsyncGenerator<Rows> {
  yield (await read()) as Rows;
}
