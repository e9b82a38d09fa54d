import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import {
  addPerson,
  changePerson,
  checkPerson,
  type PersonChange,
  setPresence,
} from '../../../../company/directory/change.ts';
import { mergeMembers } from '../../../../company/directory/merge.ts';
import { readMember } from '../../../../company/directory/read.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { Actor } from '../../../../ground/contract/actor.ts';
import { Member, MemberParams } from '../../../../ground/contract/member.ts';
import { MemberChange, MemberLeaving, MemberMerge, NewMember } from '../../../../ground/contract/member-change.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { invalid } from '../../../../ground/errors.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { tidyLeaving, tidyMember, tidyMerge } from './tidy.ts';

export interface MemberChangeOptions {
  people: Database;
}

const dayMs = 86_400_000;

export const memberChangeRoutes: FastifyPluginAsyncTypebox<MemberChangeOptions> = async (app, { people }) => {
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'directory:write' as const };
  const asMember = (description: string) => ({
    description,
    content: { 'application/json': { schema: ref(Member) } },
  });
  const failures = problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503);
  /** Makes a change as the workspace's one writer, and returns the member after it. */
  const change = (
    { caller, grant }: FastifyRequest,
    work: (tx: Queryable, actor: Actor, workspaceId: number, moment: string) => Promise<number>,
  ) => {
    const { workspaceId } = caller.workspace;
    return inWorkspace(people, workspaceId, async (tx, moment) => {
      const id = await work(tx, actorOf(grant), workspaceId, moment);
      return (await readMember(tx, workspaceId, id)) as Member;
    });
  };

  app.route({
    method: 'POST',
    url: '',
    config,
    schema: {
      operationId: 'addMember',
      summary: 'Add a member',
      description: 'Adds one person. An e-mail address or employee number that somebody has already gives 409.',
      headers,
      body: ref(NewMember),
      response: { 201: asMember('The new member.'), ...problems(400, 401, 403, 406, 409, 413, 415, 429, 500, 503) },
    },
    preValidation: async (request) => {
      request.body = tidyMember(request.body) as typeof request.body;
    },
    handler: async (request, reply) => {
      reply.code(201);
      return change(request, (tx, actor, workspaceId) => addPerson(tx, actor, workspaceId, fieldsOf(request.body)));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/:id',
    config,
    schema: {
      operationId: 'changeMember',
      summary: 'Change a member',
      description:
        'Changes the fields that are sent. An e-mail address or employee number that somebody else has gives 409. What an identity provider sends later replaces it.',
      headers,
      params: MemberParams,
      body: ref(MemberChange),
      response: { 200: asMember('The member after the change.'), ...failures },
    },
    preValidation: async (request) => {
      request.body = tidyMember(request.body) as typeof request.body;
    },
    handler: (request) => {
      const { params, body } = request;
      return change(request, async (tx, actor, workspaceId) => {
        await changePerson(tx, actor, workspaceId, params.id, fieldsOf(body));
        return params.id;
      });
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/leave',
    config: { ...config, bodyIsOptional: true },
    schema: {
      operationId: 'leaveMember',
      summary: 'Make a member a leaver',
      description:
        'The person stays in the history, and their gifts stay valid. A leaver keeps the day that is known already.',
      headers,
      params: MemberParams,
      body: ref(MemberLeaving),
      response: { 200: asMember('The member, who has left.'), ...failures },
    },
    preValidation: async (request) => {
      request.body = tidyLeaving(request.body) as typeof request.body;
    },
    handler: (request) => {
      const { params } = request;
      const { leftOn } = request.body;
      return change(request, async (tx, actor, workspaceId, moment) => {
        if (leftOn && Date.parse(leftOn) > Date.parse(moment) + dayMs)
          throw invalid([{ path: 'leftOn', problem: 'must be today or earlier' }]);
        await setPresence(tx, actor, workspaceId, params.id, { active: false, ...(leftOn && { leftOn }) });
        return params.id;
      });
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/return',
    config,
    schema: {
      operationId: 'returnMember',
      summary: 'Let a leaver return',
      description: 'The person is here again, with their history. Nothing changes for one who has not left.',
      headers,
      params: MemberParams,
      response: { 200: asMember('The member, who is here.'), ...failures },
    },
    handler: (request) => {
      const { params } = request;
      return change(request, async (tx, actor, workspaceId) => {
        await setPresence(tx, actor, workspaceId, params.id, { active: true });
        return params.id;
      });
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/merge',
    config,
    schema: {
      operationId: 'mergeMember',
      summary: 'Merge two records of one person',
      description:
        'The record of the path is given up: the other one gets its history, its addresses and the fields that it lacks. This cannot be undone. The given-up id leads to the record that remains.',
      headers,
      params: MemberParams,
      body: ref(MemberMerge),
      response: { 200: asMember('The member that remains.'), ...failures },
    },
    preValidation: async (request) => {
      request.body = tidyMerge(request.body) as typeof request.body;
    },
    handler: (request) => {
      const { params, body } = request;
      if (params.id === body.into) throw invalid([{ path: 'into', problem: 'must be another record' }]);
      return change(request, async (tx, actor, workspaceId) => {
        await checkPerson(tx, workspaceId, params.id);
        if ((await readMember(tx, workspaceId, body.into))?.id !== body.into)
          throw invalid([{ path: 'into', problem: 'is no member of this workspace' }]);
        await mergeMembers(tx, actor, workspaceId, params.id, body.into);
        return body.into;
      });
    },
  });
};

/** The fields that were sent. The wire calls a picture an avatar. */
function fieldsOf({ avatar, ...fields }: MemberChange): PersonChange {
  const sent = Object.entries({ ...fields, pictureUrl: avatar }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent);
}
