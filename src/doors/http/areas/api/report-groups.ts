import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { checkFilters } from '../../../../company/directory/readers.ts';
import { hasMailServer } from '../../../../giving/delivery/send/transport.ts';
import {
  CoveragePage,
  CoverageQuery,
  FairnessPage,
  FairnessQuery,
  NotRecognizedPage,
  NotRecognizedQuery,
} from '../../../../ground/contract/coverage.ts';
import { Overview, OverviewQuery, Series, SeriesQuery } from '../../../../ground/contract/overview.ts';
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
import { operation } from './operation.ts';
import type { ApiParts } from './parts.ts';
import { json, jsonOrCsv } from './returns.ts';

// Managers read them about their own reports.

/** Reports about groups of people and spans of days. Their files are short: as many rows as there are groups, or people. */
export const groupReportRoutes: FastifyPluginAsyncTypebox<
  ApiParts & { answers: Answers; companies: Companies }
> = async (app, { reports, lookUps, exports, answers, companies, mailServer }) => {
  operation(app, 'getOverview', 'GET /overview', 'reports:read', {
    forManagers: true,
    summary: 'What needs attention, and this month beside last',
    description:
      'The months are compared in equal spans: 1 to 16 November beside 1 to 16 October. What needs attention is always of now.',
    query: OverviewQuery,
    returns: json('The overview.', Overview),
    handler: ({ caller, query }) =>
      readOverview({ reports, lookUps }, { answers, companies }, caller.workspace, {
        ...query,
        areEmailsSent: hasMailServer({ mailServer }),
      }),
  });

  operation(app, 'getSeries', 'GET /series', 'reports:read', {
    forManagers: true,
    summary: 'Recognition over time',
    description: 'Gifts, shoutouts and amounts by day, week or month. `Accept: text/csv` returns the points as CSV.',
    query: SeriesQuery,
    returns: jsonOrCsv('The points of the series.', Series, 'A row for each point.'),
    handler: ({ caller, query }) => readSeries(reports, caller.workspace, query),
    csv: {
      exports,
      file: ({ caller, query }) => {
        const read = async () => (await readSeries(reports, caller.workspace, query)).points.map(seriesLine);
        return { name: 'recognition-over-time', columns: seriesColumns, rows: piece(read) };
      },
    },
  });

  operation(app, 'getCoverage', 'GET /coverage', 'reports:read', {
    forManagers: true,
    summary: 'How many people of each group were recognized',
    description:
      'By department, team, location, manager, cost centre or month, as of any day. `Accept: text/csv` returns all groups as CSV.',
    query: CoverageQuery,
    returns: jsonOrCsv('A page of groups, and the counts of the company.', CoveragePage),
    handler: ({ caller: { workspace }, query }) => {
      checkFilters(workspace, query);
      return answers.read(workspace, { report: 'coverage', ...query }, () =>
        readCoverage(reports, companies, workspace, query),
      );
    },
    csv: {
      exports,
      file: ({ caller, query }) => {
        checkFilters(caller.workspace, query);
        const all = { ...query, ...everything };
        const read = async () => (await readCoverage(reports, companies, caller.workspace, all)).groups;
        return { name: `coverage-by-${query.by}`, columns: coverageColumns, rows: piece(read) };
      },
    },
  });

  operation(app, 'getFairness', 'GET /fairness', 'reports:read', {
    forManagers: true,
    summary: "How many of each manager's people were recognized",
    description: 'The managers with the smallest share first. `Accept: text/csv` returns all managers as CSV.',
    query: FairnessQuery,
    returns: jsonOrCsv('A page of managers, and the counts of the company.', FairnessPage),
    listsPeople: { of: 'recognition', field: 'managers' },
    handler: ({ caller: { workspace }, query }) => {
      checkFilters(workspace, query);
      return answers.read(workspace, { report: 'fairness', ...query }, () =>
        readFairness(reports, companies, workspace, query),
      );
    },
    csv: {
      exports,
      file: ({ caller, query }) => {
        checkFilters(caller.workspace, query);
        const all = { ...query, ...everything };
        const read = async () => (await readFairness(reports, companies, caller.workspace, all)).managers;
        return {
          name: 'fairness',
          columns: fairnessColumns,
          rows: piece(async () => (await read()).map(fairnessLine)),
        };
      },
    },
  });

  operation(app, 'getNotRecognized', 'GET /members/not-recognized', 'reports:read', {
    forManagers: true,
    summary: 'People who were never or not lately recognized',
    description: 'Filters combine with AND. `Accept: text/csv` returns all of them as CSV.',
    query: NotRecognizedQuery,
    returns: jsonOrCsv('A page of people.', NotRecognizedPage),
    listsPeople: { of: 'recognition', field: 'members' },
    handler: ({ caller: { workspace }, query }) => {
      checkFilters(workspace, query);
      const { page, size, bom, ...filters } = query;
      const read = () => readNotRecognized(reports, companies, workspace, filters, { page, size });
      return answers.read(workspace, { report: 'not-recognized', ...query }, read);
    },
    csv: {
      exports,
      file: ({ caller, query: { page, size, bom, ...filters } }, database) => {
        checkFilters(caller.workspace, filters);
        return {
          name: 'not-recognized',
          columns: notRecognizedColumns,
          rows: streamNotRecognized(database, companies, caller.workspace, filters),
        };
      },
    },
  });
};

const everything = { page: 0, size: 1_000_000 };

async function* piece(read: () => Promise<object[]>): AsyncGenerator<Rows> {
  yield (await read()) as Rows;
}
