import { listMembers } from '../../../../company/directory/read.ts';
import { isBelow } from '../../../../company/directory/reporting-line.ts';
import { suggestMembers } from '../../../../company/directory/suggest.ts';
import { erasureSchemas } from '../../../../ground/contract/erasure.ts';
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
import { memberRightsSchemas } from '../../../../ground/contract/member-rights.ts';
import { Failure } from '../../../../ground/errors.ts';
import { listMemberActivities } from '../../../../insight/reports/member-activities.ts';
import { asSeenBy, readSeenMember } from '../../../../insight/reports/seen-members.ts';
import { memberChangeRoutes } from './member-changes.ts';
import { memberImportRoutes } from './member-import.ts';
import { memberRightsRoutes } from './member-rights.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';
import { sendVersion } from './versions.ts';

const memberRoutes: Routes = async (app, options) => {
  const { reports, lookUps } = options;
  operation(app, 'listMembers', 'GET /', 'directory:read', {
    forManagers: true,
    summary: 'List members',
    description: 'The people of the workspace. Filters and search combine with AND. An unknown parameter gives 400.',
    query: MemberQuery,
    returns: json('A page of members.', MemberPage),
    listsPeople: { of: 'people', field: 'members' },
    handler: async ({ workspaceId, caller, query }) => {
      const page = await listMembers(reports, workspaceId, query, caller.workspace);
      return { ...page, members: await asSeenBy(reports, caller.workspace, page.members) };
    },
  });

  operation(app, 'suggestMembers', 'GET /suggestions', 'directory:read', {
    forManagers: true,
    summary: 'Suggest members',
    description:
      'Suggests people while a user types: first the person with exactly this email address or employee number, then people whose names start with the words. People who have left are not suggested. Managers get their own reports.',
    query: SuggestionQuery,
    returns: json('A few members.', MemberSuggestions),
    listsPeople: { of: 'people', field: 'members' },
    handler: async ({ caller, query }) => ({
      members: await asSeenBy(reports, caller.workspace, await suggestMembers(reports, caller.workspace, query)),
    }),
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
      const member = await readSeenMember(lookUps, caller.workspace, params.id);
      if (!member || !(await isBelow(lookUps, workspaceId, onlyReportsOf, member.id))) throw noMember();
      return sendVersion(reply, member);
    },
  });

  operation(app, 'listMemberActivities', 'GET /:id/activities', 'reports:read', {
    forManagers: true,
    summary: "List a member's recognition",
    description:
      'The gifts and shoutouts that one person received or gave, the newest first, without declined ones. Gifts that a person received are in the sequence of their orders, also if an order was tried again later. Private ones are flagged; only their people, approvers and tokens that read the reports get them. An unknown parameter gives 400.',
    params: MemberParams,
    query: MemberActivityQuery,
    returns: json('A page of activities, and where the next page begins.', MemberActivityPage),
    listsPeople: { of: 'recognition', field: 'activities' },
    handler: async ({ caller, params, query }) => {
      const { workspaceId, onlyReportsOf } = caller.workspace;
      if (!(await isBelow(lookUps, workspaceId, onlyReportsOf, params.id))) throw noMember();
      return listMemberActivities(lookUps, caller.workspace, params.id, query);
    },
  });

  await memberChangeRoutes(app, options);
  await memberRightsRoutes(app, options);
  await app.register(memberImportRoutes, options);
};

function noMember(): Failure {
  return new Failure('missing', 'There is no member with this id in this workspace.');
}

export const members: Resource = {
  prefix: '/members',
  tag: { name: 'Members', description: 'The people of the workspace.' },
  schemas: [
    ...memberSchemas,
    ...memberActivitySchemas,
    ...memberChangeSchemas,
    ...memberImportSchemas,
    ...erasureSchemas,
    ...memberRightsSchemas,
  ],
  routes: memberRoutes,
};
