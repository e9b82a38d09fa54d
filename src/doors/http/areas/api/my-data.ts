import { noQuery } from '../../../../ground/contract/schema.ts';
import { Failure } from '../../../../ground/errors.ts';
import { handOutData } from '../../../../insight/rights/data.ts';
import { createDataLimit } from '../../limits/pace.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { sendZip, zipFile } from './returns.ts';

const myDataRoutes: Routes = async (app, { people }) => {
  const count = createDataLimit(people);

  operation(app, 'getMyData', 'GET /', 'me:read', {
    summary: 'Download your data',
    description:
      'Everything about the person who calls as a ZIP: a page to read, data.json, and a CSV file for each part. For people who are signed in, and not at a shared screen. Three times a day. The audit log records it.',
    query: noQuery,
    returns: zipFile('A ZIP.', 'index.html, data.json and CSV files.'),
    fails: [404],
    handler: async ({ grant, workspaceId, actor, caller }, reply) => {
      if (!grant.session || grant.session.way === 'KIOSK')
        throw new Failure(
          'forbidden',
          'Only people who are signed in on a device of their own can download their data.',
        );
      const { memberId } = caller.workspace;
      await count(workspaceId, memberId);
      const data = await people.transaction((tx) => handOutData(tx, actor, workspaceId, memberId));
      return sendZip(reply, data);
    },
  });
};

export const myData: Resource = {
  prefix: '/me/data',
  tag: { name: 'My data', description: 'Everything about the caller.' },
  schemas: [],
  routes: myDataRoutes,
};
