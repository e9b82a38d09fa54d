import { checkAudience } from '../../../../company/directory/audience-references.ts';
import {
  changeEmployeeSettings,
  readEmployeeSettings,
  readEmployeeSettingsToChange,
} from '../../../../company/workspaces/employee-settings.ts';
import {
  EmployeeSettings,
  EmployeeSettingsChange,
  employeeSettingsSchemas,
} from '../../../../ground/contract/employee-settings.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

const employeeSettingsRoutes: Routes = async (app, { lookUps, people }) => {
  operation(app, 'getEmployeeSettings', 'GET /', 'settings:read', {
    summary: 'Who signs in as an employee',
    description: 'Which people of the directory sign in without being users, and what they may change.',
    query: noQuery,
    returns: json('The settings of employees.', EmployeeSettings),
    isVersioned: true,
    handler: async ({ workspaceId }, reply) => sendVersion(reply, await readEmployeeSettings(lookUps, workspaceId)),
  });

  operation(app, 'changeEmployeeSettings', 'PATCH /', 'settings:manage', {
    summary: 'Let employees sign in',
    description:
      'Changes the settings that are given. Sessions of people whom they no longer let in end within a second. Access that is turned on again opens no session of before.',
    body: EmployeeSettingsChange,
    returns: json('The settings of employees.', EmployeeSettings),
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, body } = request;
      const saved = await people.transaction(async (tx) => {
        await matchVersion(request, () => readEmployeeSettingsToChange(tx, workspaceId));
        return changeEmployeeSettings(tx, actor, workspaceId, body, checkAudience);
      });
      return sendVersion(reply, saved);
    },
  });
};

export const employeeSettings: Resource = {
  prefix: '/settings/employees',
  tag: { name: 'Employees', description: 'Signing in of all people of the directory.' },
  schemas: employeeSettingsSchemas,
  routes: employeeSettingsRoutes,
};
