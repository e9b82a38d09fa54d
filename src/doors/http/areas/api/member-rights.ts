import { placeHold, releaseHold } from '../../../../company/directory/holds.ts';
import { keepOut, letIn } from '../../../../company/directory/kept-out.ts';
import { Erasure, ErasurePreview } from '../../../../ground/contract/erasure.ts';
import { MemberParams } from '../../../../ground/contract/member.ts';
import { DecisionReason, MemberRights } from '../../../../ground/contract/member-rights.ts';
import { handOutData } from '../../../../insight/rights/data.ts';
import { confirmErasure, requestErasure, stopErasure } from '../../../../insight/rights/erasures.ts';
import { readMemberRights } from '../../../../insight/rights/member-rights.ts';
import { previewErasure } from '../../../../insight/rights/preview.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json, nothing, sendZip, zipFile } from './returns.ts';

/** What a person can ask their company for: a file of their data, and erasure. */
export const memberRightsRoutes: Routes = async (app, { people }) => {
  operation(app, 'getMemberData', 'GET /:id/data', 'people:erase', {
    summary: "Download a member's data",
    description:
      'Everything about one person as a ZIP: a page to read, data.json, and a CSV file for each part. Other people are in it as far as they wrote to the person. The audit log records the download.',
    params: MemberParams,
    returns: zipFile('A ZIP.', 'index.html, data.json and CSV files.'),
    handler: async ({ workspaceId, actor, params }, reply) => {
      const data = await people.transaction((tx) => handOutData(tx, actor, workspaceId, params.id));
      return sendZip(reply, data);
    },
  });

  operation(app, 'previewErasure', 'GET /:id/erasure', 'people:erase', {
    summary: 'Preview the erasure of a member',
    description:
      'What would be removed, what stays and why, what has to end first, and how far an erasure has come. Changes nothing.',
    params: MemberParams,
    returns: json('The preview.', ErasurePreview),
    handler: ({ workspaceId, params }) => previewErasure(people, workspaceId, params.id),
  });

  operation(app, 'requestErasure', 'POST /:id/erasure', 'people:erase', {
    summary: 'Ask for the erasure of a member',
    description:
      'The erasure begins a day later, or when a second person has agreed, as the workspace says. Until then it can be stopped. It cannot be undone afterwards. What has to end first, for example a gift that is not spent, gives 409; if it comes later, it stops the erasure.',
    params: MemberParams,
    returns: json('The erasure.', Erasure),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      people.transaction((tx) => requestErasure(tx, actor, workspaceId, params.id)),
  });

  operation(app, 'confirmErasure', 'POST /:id/erasure/confirm', 'people:erase', {
    summary: 'Agree to the erasure of a member',
    description: 'For a second person who has signed in. The person who asked for it gets 409, and a token 403.',
    params: MemberParams,
    returns: json('The erasure.', Erasure),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      people.transaction((tx) => confirmErasure(tx, actor, workspaceId, params.id)),
  });

  operation(app, 'stopErasure', 'POST /:id/erasure/stop', 'people:erase', {
    summary: 'Stop the erasure of a member',
    description: 'As long as it has not begun.',
    params: MemberParams,
    returns: json('The erasure.', Erasure),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      people.transaction((tx) => stopErasure(tx, actor, workspaceId, params.id)),
  });

  operation(app, 'getMemberRights', 'GET /:id/rights', 'people:erase', {
    summary: "Get what is decided about a member's data",
    description: 'Whether a legal hold keeps it, and whether the member is kept out of reports about individuals.',
    params: MemberParams,
    returns: json('What is decided.', MemberRights),
    handler: ({ workspaceId, params }) => readMemberRights(people, workspaceId, params.id),
  });

  operation(app, 'placeHold', 'PUT /:id/hold', 'people:erase', {
    summary: 'Place a legal hold',
    description:
      'Until it is released, the member cannot be erased or anonymized, and texts that they received or wrote, emails to them and the logs of their gifts are not removed by age. An erasure that waits is stopped when it should begin. Placing it again changes the reason.',
    params: MemberParams,
    body: DecisionReason,
    returns: json('What is decided.', MemberRights),
    handler: ({ workspaceId, actor, params, body }) =>
      people.transaction(async (tx) => {
        await placeHold(tx, actor, workspaceId, params.id, body.reason);
        return readMemberRights(tx, workspaceId, params.id);
      }),
  });

  operation(app, 'releaseHold', 'DELETE /:id/hold', 'people:erase', {
    summary: 'Release a legal hold',
    description: 'The member can be erased again.',
    params: MemberParams,
    returns: nothing('It is released.'),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      people.transaction((tx) => releaseHold(tx, actor, workspaceId, params.id)),
  });

  operation(app, 'restrictMember', 'PUT /:id/restriction', 'people:erase', {
    summary: 'Keep a member out of reports',
    description:
      'The member is left out of reports about individuals, the feed and automations, and counts as one of the others: totals stay as they are. The directory, their gifts, payroll and the tax log have them. Setting it again changes the reason.',
    params: MemberParams,
    body: DecisionReason,
    returns: json('What is decided.', MemberRights),
    handler: ({ workspaceId, actor, params, body }) =>
      people.transaction(async (tx) => {
        await keepOut(tx, actor, workspaceId, params.id, body.reason);
        return readMemberRights(tx, workspaceId, params.id);
      }),
  });

  operation(app, 'liftRestriction', 'DELETE /:id/restriction', 'people:erase', {
    summary: 'Let a member into reports again',
    description: 'Also after an objection of the member.',
    params: MemberParams,
    returns: nothing('It is lifted.'),
    fails: [409],
    handler: ({ workspaceId, actor, params }) => people.transaction((tx) => letIn(tx, actor, workspaceId, params.id)),
  });
};
