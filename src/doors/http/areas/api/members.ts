import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listMembers, readMember } from '../../../../company/directory/read.ts';
import { isBelow } from '../../../../company/directory/reporting-line.ts';
import { suggestMembers } from '../../../../company/directory/suggest.ts';
import {
  Member,
  MemberPage,
  MemberParams,
  MemberQuery,
  MemberSuggestions,
  memberSchemas,
  SuggestionQuery,
} from '../../../../ground/contract/member.ts';
import {
  MemberActivityPage,
  MemberActivityQuery,
  memberActivitySchemas,
} from '../../../../ground/contract/member-activity.ts';
import { memberChangeSchemas } from '../../../../ground/contract/member-change.ts';
import { memberImportSchemas } from '../../../../ground/contract/member-import.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { listMemberActivities } from '../../../../insight/reports/member-activities.ts';
import { type MemberChangeOptions, memberChangeRoutes } from './member-changes.ts';
import { type MemberImportOptions, memberImportRoutes } from './member-import.ts';
import { operation } from './operation.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';
import { sendVersion } from './versions.ts';

export interface MemberOptions extends MemberChangeOptions, MemberImportOptions {
  reports: Queryable;
  lookUps: Queryable;
}

const memberRoutes: FastifyPluginAsyncTypebox<MemberOptions> = async (app, options) => {
  const { reports, lookUps } = options;
  operation(app, 'listMembers', 'GET /', 'directory:read', {
    forManagers: true,
    summary: 'List members',
    description: 'The people of the workspace. Filters and search combine with AND. An unknown parameter gives 400.',
    query: MemberQuery,
    returns: json('A page of members.', MemberPage),
    handler: ({ workspaceId, caller, query }) => listMembers(reports, workspaceId, query, caller.workspace),
  });

  operation(app, 'suggestMembers', 'GET /suggestions', 'directory:read', {
    forManagers: true,
    summary: 'Suggest members',
    description:
      'Suggests people while a user types: first the person with exactly this email address or employee number, then people whose names start with the words. People who have left are not suggested. Managers get their own reports.',
    query: SuggestionQuery,
    returns: json('A few members.', MemberSuggestions),
    handler: async ({ caller, query }) => ({ members: await suggestMembers(reports, caller.workspace, query) }),
  });

  operation(app, 'getMember', 'GET /:id', 'directory:read', {
    forManagers: true,
    summary: 'Get a member',
    description:
      'One person, including people who have left. The id of a merged record returns the record that it was merged into.',
    params: MemberParams,
    returns: json('The member.', Member),
    isVersioned: true,
    handler: async ({ caller, params }, reply) => {
      const { workspaceId, onlyReportsOf } = caller.workspace;
      const member = await readMember(lookUps, workspaceId, params.id, caller.workspace);
      if (!member || !(await isBelow(lookUps, workspaceId, onlyReportsOf, member.id))) throw noMember();
      return sendVersion(reply, member);
    },
  });

  operation(app, 'listMemberActivities', 'GET /:id/activities', 'reports:read', {
    forManagers: true,
    summary: "List a member's recognition",
    description:
      'The gifts and shoutouts that one person received or gave, the newest first, without declined ones. Gifts that a person received are in the sequence of their orders, also if an order was tried again later. Private ones are flagged. An unknown parameter gives 400.',
    params: MemberParams,
    query: MemberActivityQuery,
    returns: json('A page of activities, and where to go on.', MemberActivityPage),
    handler: async ({ caller, params, query }) => {
      const { workspaceId, onlyReportsOf } = caller.workspace;
      if (!(await isBelow(lookUps, workspaceId, onlyReportsOf, params.id))) throw noMember();
      return listMemberActivities(lookUps, caller.workspace, params.id, query);
    },
  });

  await memberChangeRoutes(app, options);
  await app.register(memberImportRoutes, options);
};

function noMember(): Failure {
  return new Failure('missing', 'There is no member with this id in this workspace.');
}

export const members: Resource<MemberOptions> = {
  prefix: '/members',
  tag: { name: 'Members', description: 'The people of the workspace.' },
  schemas: [...memberSchemas, ...memberActivitySchemas, ...memberChangeSchemas, ...memberImportSchemas],
  routes: memberRoutes,
};
