import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import {
  runNow,
  sendAnyway,
  setLine,
  skipOccurrence,
  unskipOccurrence,
} from '../../../../giving/automations/by-hand.ts';
import {
  listOccurrences,
  occurrenceCsvColumns,
  occurrenceReader,
  readOccurrence,
  streamOccurrences,
} from '../../../../giving/automations/list.ts';
import { AutomationParams } from '../../../../ground/contract/automation.ts';
import {
  Occurrence,
  OccurrenceChange,
  OccurrenceChoice,
  OccurrencePage,
  OccurrenceParams,
  OccurrenceQuery,
} from '../../../../ground/contract/occurrence.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json, jsonOrCsv, nothing } from './returns.ts';
import { editedBy, versionsOf } from './versions.ts';

/** What automations did for single people, and what people let them do. */
export const occurrenceRoutes: Routes = async (app, options) => {
  const { lookUps, reports, people, exports } = options;

  operation(app, 'listOccurrences', 'GET /occurrences', 'automations:read', {
    forManagers: true,
    summary: 'List what automations did',
    description:
      'What automations did, could not do and have begun, with the reason, the latest first. Managers see those of their reports about which they were asked. Those of birthdays are for callers with directory:write, because birthdays are private. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
    query: OccurrenceQuery,
    returns: jsonOrCsv('A page of occurrences.', OccurrencePage),
    handler: ({ workspaceId, caller, query }) =>
      listOccurrences(reports, workspaceId, query, occurrenceReader(caller.workspace)),
    csv: {
      exports,
      file: ({ workspaceId, caller, query: { page, size, bom, ...filters } }, database) => ({
        name: 'occurrences',
        columns: occurrenceCsvColumns,
        rows: streamOccurrences(database, workspaceId, filters, occurrenceReader(caller.workspace)),
      }),
    },
  });

  operation(app, 'getOccurrence', 'GET /occurrences/:id', 'automations:read', {
    forManagers: true,
    summary: 'Get what an automation did for a person',
    description: 'One occurrence, for callers who see it in the list.',
    params: OccurrenceParams,
    returns: json('The occurrence.', Occurrence),
    isVersioned: true,
    handler: async ({ workspaceId, caller, params }, reply) =>
      versions.send(reply, await readOccurrence(lookUps, workspaceId, params.id, occurrenceReader(caller.workspace))),
  });

  operation(app, 'changeOccurrence', 'PATCH /occurrences/:id', 'recognition:write', {
    forManagers: true,
    summary: 'Add a line to a message',
    description:
      'Sets what stands in front of the message, until it goes out: after that, 409. Managers can do it for their reports, others for all people.',
    params: OccurrenceParams,
    body: OccurrenceChange,
    returns: json('The occurrence.', Occurrence),
    fails: [409],
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, caller, params, body } = request;
      const reader = occurrenceReader(caller.workspace);
      const changed = await inWorkspace(people, workspaceId, async (tx) => {
        await versions.match(request, () => readOccurrence(tx, workspaceId, params.id, reader));
        await setLine(tx, actor, workspaceId, params.id, body.line, reader);
        return readOccurrence(tx, workspaceId, params.id, reader);
      });
      return versions.send(reply, changed);
    },
  });

  operation(app, 'sendOccurrence', 'POST /occurrences/:id/send', 'automations:manage', {
    summary: 'Send what was not sent',
    description:
      'Sends what could not be done, what was skipped, or the gift of a message that went out without it. Anything else gives 409, also if another day of the same occasion was sent: it is paid at most once.',
    params: OccurrenceParams,
    returns: json('The occurrence.', Occurrence),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, async (tx) => {
        await sendAnyway(tx, actor, workspaceId, params.id);
        return readOccurrence(tx, workspaceId, params.id);
      }),
  });

  operation(app, 'runAutomation', 'POST /:id/run', 'automations:manage', {
    summary: 'Run an automation now for one person',
    description:
      'What the plan has for this person and this day goes out at once. If the automation has done it already, or has done another day of the same year: 409.',
    params: AutomationParams,
    body: OccurrenceChoice,
    returns: json('The occurrence.', Occurrence),
    fails: [409],
    handler: ({ workspaceId, actor, params, body }) =>
      inWorkspace(people, workspaceId, async (tx) =>
        readOccurrence(tx, workspaceId, await runNow(tx, actor, workspaceId, params.id, body)),
      ),
  });

  operation(app, 'skipOccurrence', 'POST /:id/skip', 'automations:manage', {
    summary: 'Skip one person on one day',
    description:
      'Nothing goes out to this person for this day. If it went out already: 409. The same request once more changes nothing.',
    params: AutomationParams,
    body: OccurrenceChoice,
    returns: json('The occurrence.', Occurrence),
    fails: [409],
    handler: ({ workspaceId, actor, params, body }) =>
      inWorkspace(people, workspaceId, async (tx) =>
        readOccurrence(tx, workspaceId, await skipOccurrence(tx, actor, workspaceId, params.id, body)),
      ),
  });

  operation(app, 'unskipOccurrence', 'POST /:id/unskip', 'automations:manage', {
    summary: 'Take back a skip',
    description: 'The automation sends it on its day. If the day has passed, or it was not skipped by hand: 409.',
    params: AutomationParams,
    body: OccurrenceChoice,
    returns: nothing('It is planned again.'),
    fails: [409],
    handler: ({ workspaceId, actor, params, body }) =>
      inWorkspace(people, workspaceId, (tx) => unskipOccurrence(tx, actor, workspaceId, params.id, body)),
  });
};

const versions = versionsOf(editedBy(OccurrenceChange));
