import type { WorkspaceGrant } from '../../../../company/access/grants.ts';
import { listVisitedWorkspaces } from '../../../../company/access/users.ts';
import { checkFilters } from '../../../../company/directory/readers.ts';
import { coverageSchemas } from '../../../../ground/contract/coverage.ts';
import { overviewSchemas } from '../../../../ground/contract/overview.ts';
import {
  LastRecognizedPage,
  LastRecognizedQuery,
  reportSchemas,
  TeamActivityPage,
  TeamActivityQuery,
} from '../../../../ground/contract/report.ts';
import { taxLogSchemas } from '../../../../ground/contract/tax-log.ts';
import { taxTotalSchemas } from '../../../../ground/contract/tax-totals.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { Answers } from '../../../../insight/reports/answers.ts';
import { readLastRecognized } from '../../../../insight/reports/last-recognized.ts';
import { streamLastRecognized } from '../../../../insight/reports/last-recognized-file.ts';
import { lastRecognizedColumns } from '../../../../insight/reports/last-recognized-snapshot.ts';
import { Companies } from '../../../../insight/reports/memory/companies.ts';
import { listRead } from '../../../../insight/reports/memory/snapshots.ts';
import {
  readTeamActivity,
  streamTeamActivity,
  teamActivityColumns,
} from '../../../../insight/reports/team-activity.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { groupReportRoutes } from './report-groups.ts';
import type { Resource } from './resource.ts';
import { jsonOrCsv } from './returns.ts';
import { taxLogRoutes } from './tax-log.ts';

const reportRoutes: Routes = async (app, options) => {
  const { reports, lookUps, exports } = options;
  const companies = new Companies(lookUps);
  await groupReportRoutes(app, { ...options, answers: new Answers(lookUps), companies });
  // So that users who sign in do not wait until a large company is read. If it fails, the first request reads it.
  app.addHook('onListen', async () => {
    readAhead(lookUps, companies).then(
      (workspaces) => app.log.debug({ workspaces }, 'Reports were read ahead.'),
      (error) => app.log.debug({ err: error }, 'Reports could not be read ahead.'),
    );
  });
  await taxLogRoutes(app, options);

  operation(app, 'getTeamActivity', 'GET /teams/activity', 'reports:read', {
    forManagers: true,
    summary: 'Team activity report',
    description:
      'Gifts and shoutouts, newest first. Private ones are flagged; only their people, approvers and tokens that read the reports get them. Unknown parameters are ignored. `Accept: text/csv` returns all rows as CSV.',
    query: TeamActivityQuery,
    returns: jsonOrCsv('A page of activities.', TeamActivityPage),
    listsPeople: { of: 'recognition', field: 'activities' },
    handler: ({ caller, query }) => readTeamActivity(lookUps, companies, caller.workspace, query),
    csv: {
      exports,
      file: ({ caller: { workspace } }, database) => {
        refuseManagers(workspace);
        return {
          name: 'team-activity',
          columns: teamActivityColumns,
          rows: streamTeamActivity(database, workspace),
        };
      },
    },
  });

  operation(app, 'getLastRecognized', 'GET /members/last-recognized', 'reports:read', {
    summary: 'Last recognized members report',
    description:
      'When each team member was last recognized. Filters combine with AND. Unknown parameters are ignored. `Accept: text/csv` returns all rows as CSV.',
    query: LastRecognizedQuery,
    returns: jsonOrCsv('A page of team members.', LastRecognizedPage),
    listsPeople: { of: 'recognition', field: 'teamMembers' },
    handler: ({ caller, query: { page, size, bom, ...filters } }) => {
      checkFilters(caller.workspace, filters);
      return readLastRecognized(reports, caller.workspace, filters, { page, size });
    },
    csv: {
      exports,
      file: ({ caller, query: { page, size, bom, ...filters } }, database) => {
        checkFilters(caller.workspace, filters);
        return {
          name: 'last-recognized',
          columns: lastRecognizedColumns,
          rows: streamLastRecognized(database, caller.workspace, filters),
        };
      },
    },
  });
};

function refuseManagers({ onlyReportsOf }: WorkspaceGrant): void {
  if (onlyReportsOf !== null)
    throw new Failure(
      'forbidden',
      'The file covers the whole workspace, and managers can only see their own reports: read the pages instead.',
    );
}

export const reports: Resource = {
  prefix: '/reports',
  tag: {
    name: 'Reports',
    description: 'Who was recognized, when last, how many of each group, and what needs attention.',
  },
  schemas: [...reportSchemas, ...overviewSchemas, ...coverageSchemas, ...taxLogSchemas, ...taxTotalSchemas],
  routes: reportRoutes,
};

/** Of how many workspaces a start reads what reports count, if there is room for them. */
const mostReadAhead = 20;

/** First those whose reports were read, then those whose people have signed in, the latest first. */
async function readAhead(on: Queryable, companies: Companies): Promise<number[]> {
  const listed = [await listRead(on, mostReadAhead), await listVisitedWorkspaces(on, mostReadAhead)];
  const workspaces = [...new Set(listed.flat())].slice(0, mostReadAhead);
  await companies.readAhead(workspaces);
  return workspaces;
}
