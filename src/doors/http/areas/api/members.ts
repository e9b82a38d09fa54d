import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { listMembers, readMember } from '../../../../company/directory/read.ts';
import { isBelow } from '../../../../company/directory/reporting-line.ts';
import { suggestMembers } from '../../../../company/directory/suggest.ts';
import { listMemberActivities } from '../../../../giving/recognition/of-member.ts';
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
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { type MemberChangeOptions, memberChangeRoutes } from './member-changes.ts';
import { type MemberImportOptions, memberImportRoutes } from './member-import.ts';
import type { Resource } from './resource.ts';

export interface MemberOptions extends MemberChangeOptions, MemberImportOptions {
  reports: Queryable;
  lookUps: Queryable;
}

const memberRoutes: FastifyPluginAsyncTypebox<MemberOptions> = async (app, options) => {
  const { reports, lookUps } = options;
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'directory:read', forManagers: true },
    schema: {
      operationId: 'listMembers',
      summary: 'List members',
      description: 'The people of the workspace. Filters and search combine with AND. An unknown parameter gives 400.',
      headers: Type.Object(WorkspaceHeader),
      querystring: MemberQuery,
      response: {
        200: { description: 'A page of members.', content: { 'application/json': { schema: ref(MemberPage) } } },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query }) =>
      listMembers(reports, caller.workspace.workspaceId, query, caller.workspace.onlyReportsOf),
  });

  app.route({
    method: 'GET',
    url: '/suggestions',
    config: { access: 'directory:read', forManagers: true },
    schema: {
      operationId: 'suggestMembers',
      summary: 'Suggest members',
      description:
        'People to choose from while somebody types: first who has exactly this e-mail address or employee number, then people whose names begin with the words. Nobody who has left. Managers get their own reports.',
      headers: Type.Object(WorkspaceHeader),
      querystring: SuggestionQuery,
      response: {
        200: { description: 'A few members.', content: { 'application/json': { schema: ref(MemberSuggestions) } } },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, query }) => ({
      members: await suggestMembers(reports, caller.workspace, query),
    }),
  });

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'directory:read', forManagers: true },
    schema: {
      operationId: 'getMember',
      summary: 'Get a member',
      description:
        'One person, including people who have left. The id of a merged record returns the record that it was merged into.',
      headers: Type.Object(WorkspaceHeader),
      params: MemberParams,
      response: {
        200: { description: 'The member.', content: { 'application/json': { schema: ref(Member) } } },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, params }) => {
      const { workspaceId, onlyReportsOf } = caller.workspace;
      const member = await readMember(lookUps, workspaceId, params.id);
      if (!member || !(await isBelow(lookUps, workspaceId, onlyReportsOf, member.id))) throw noMember();
      return member;
    },
  });

  app.route({
    method: 'GET',
    url: '/:id/activities',
    config: { access: 'reports:read', forManagers: true },
    schema: {
      operationId: 'listMemberActivities',
      summary: "List a member's recognition",
      description:
        'The gifts and shoutouts that one person received or gave, the newest first, without declined ones. Gifts that a person received are in the sequence of their orders, also if an order was tried again later. Private ones are flagged. An unknown parameter gives 400.',
      headers: Type.Object(WorkspaceHeader),
      params: MemberParams,
      querystring: MemberActivityQuery,
      response: {
        200: {
          description: 'A page of activities, and where to go on.',
          content: { 'application/json': { schema: ref(MemberActivityPage) } },
        },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
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
