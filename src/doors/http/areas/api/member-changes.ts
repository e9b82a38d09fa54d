import type { FastifyRequest } from 'fastify';
import {
  addPerson,
  changePerson,
  checkPerson,
  type PersonChange,
  setPresence,
} from '../../../../company/directory/change.ts';
import { mergeMembers } from '../../../../company/directory/merge.ts';
import { splitMember } from '../../../../company/directory/split.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { Member, MemberParams } from '../../../../ground/contract/member.ts';
import {
  MemberChange,
  MemberLeaving,
  MemberMerge,
  MemberSplit,
  NewMember,
} from '../../../../ground/contract/member-change.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { invalid } from '../../../../ground/errors.ts';
import { readSeenMember } from '../../../../insight/reports/seen-members.ts';
import { checkNotToBeErased } from '../../../../insight/rights/asked.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { created, json } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

export const memberChangeRoutes: Routes = async (app, { people }) => {
  /** Makes a change as the workspace's one writer, and returns the member after it. */
  const change = ({ workspaceId, caller }: FastifyRequest, work: (tx: Queryable) => Promise<number>) =>
    inWorkspace(people, workspaceId, async (tx) => {
      const id = await work(tx);
      return (await readSeenMember(tx, caller.workspace, id)) as Member;
    });

  operation(app, 'addMember', 'POST /', 'directory:write', {
    summary: 'Add a member',
    description: 'Adds one person. An email address or employee number of an existing person gives 409.',
    body: NewMember,
    returns: created('The new member.', Member),
    fails: [409],
    handler: (request) => {
      const { workspaceId, actor, body } = request;
      return change(request, (tx) => addPerson(tx, actor, workspaceId, fieldsOf(body)));
    },
  });

  operation(app, 'changeMember', 'PATCH /:id', 'directory:write', {
    summary: 'Change a member',
    description:
      'Changes the fields that are sent. An email address or employee number of another person gives 409. What an identity provider sends later replaces it.',
    params: MemberParams,
    body: MemberChange,
    returns: json('The member after the change.', Member),
    fails: [409],
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      const changed = await change(request, async (tx) => {
        await matchVersion(request, () => readSeenMember(tx, request.caller.workspace, params.id));
        await changePerson(tx, actor, workspaceId, params.id, fieldsOf(body));
        return params.id;
      });
      return sendVersion(reply, changed);
    },
  });

  operation(app, 'leaveMember', 'POST /:id/leave', 'directory:write', {
    bodyIsOptional: true,
    summary: 'Mark a member as left',
    description:
      'The person stays in the history, and their gifts stay valid. A leaver keeps the day that is known already. With a day in the future, the person stays a member and has left after that day: see `leavesOn`.',
    params: MemberParams,
    body: MemberLeaving,
    returns: json('The member, who has left, or leaves after the day.', Member),
    fails: [409],
    handler: (request) => {
      const { workspaceId, actor, params } = request;
      const { leftOn } = request.body;
      return change(request, async (tx) => {
        await setPresence(tx, actor, workspaceId, params.id, { active: false, ...(leftOn && { leftOn }) });
        return params.id;
      });
    },
  });

  operation(app, 'returnMember', 'POST /:id/return', 'directory:write', {
    summary: 'Let a leaver return',
    description: 'The person is here again, with their history. A member who has not left has no last day any more.',
    params: MemberParams,
    returns: json('The member, who is here.', Member),
    fails: [409],
    handler: (request) => {
      const { workspaceId, actor, params } = request;
      return change(request, async (tx) => {
        await setPresence(tx, actor, workspaceId, params.id, { active: true });
        return params.id;
      });
    },
  });

  operation(app, 'mergeMember', 'POST /:id/merge', 'directory:write', {
    summary: 'Merge two records of one person',
    description:
      'The record of the path is given up: the other one gets its history, its addresses and the fields that it lacks. It can be undone for 24 hours. The id that was given up identifies the record that remains. Records of people who were erased, or whose erasure was asked for, give 409.',
    params: MemberParams,
    body: MemberMerge,
    returns: json('The member that remains.', Member),
    fails: [409],
    handler: (request) => {
      const { workspaceId, actor, params, body } = request;
      if (params.id === body.into) throw invalid([{ path: 'into', problem: 'must be another record' }]);
      return change(request, async (tx) => {
        await checkPerson(tx, workspaceId, params.id);
        if ((await readSeenMember(tx, request.caller.workspace, body.into))?.id !== body.into)
          throw invalid([{ path: 'into', problem: 'is no member of this workspace' }]);
        await checkNotToBeErased(tx, workspaceId, [params.id, body.into]);
        await mergeMembers(tx, actor, workspaceId, params.id, body.into);
        return body.into;
      });
    },
  });

  operation(app, 'splitMember', 'POST /:id/split', 'directory:write', {
    summary: 'Split a record that two people share',
    description:
      'For an email address, login or employee number that passed from one person to another unnoticed. A new record gets what is moved, the fields and the teams, and is here. The record of the path keeps its id and its history, and has left. A record that has none of what is moved gives 400.',
    params: MemberParams,
    body: MemberSplit,
    returns: created('The new member.', Member),
    fails: [409],
    handler: (request) => {
      const { workspaceId, actor, params } = request;
      const { move, firstName, lastName } = request.body;
      const names = { ...(firstName && { firstName }), ...(lastName && { lastName }) };
      return change(request, async (tx) => {
        await checkPerson(tx, workspaceId, params.id);
        return splitMember(tx, actor, workspaceId, params.id, move, names);
      });
    },
  });
};

/** The fields that were sent. The wire calls a picture an avatar. */
function fieldsOf({ avatar, ...fields }: MemberChange): PersonChange {
  const sent = Object.entries({ ...fields, pictureUrl: avatar }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent);
}
