import { accessData } from '../../company/access/personal.ts';
import { directoryData } from '../../company/directory/personal.ts';
import { eventsData } from '../../company/events/personal.ts';
import { importData } from '../../company/import/personal.ts';
import { undoData } from '../../company/undo/personal.ts';
import { workspacesData } from '../../company/workspaces/personal.ts';
import { approvalsData } from '../../giving/approvals/personal.ts';
import { automationsData } from '../../giving/automations/personal.ts';
import { budgetsData } from '../../giving/budgets/personal.ts';
import { deliveryData } from '../../giving/delivery/personal.ts';
import { feedData } from '../../giving/feed/personal.ts';
import { giftsData } from '../../giving/gifts/personal.ts';
import { ordersData } from '../../giving/orders/personal.ts';
import { recognitionData } from '../../giving/recognition/personal.ts';
import { backupData } from '../../ground/backup/personal.ts';
import { databaseData } from '../../ground/database/personal.ts';
import type { TableOfData } from '../../ground/values/personal.ts';
import { codePoolsData } from '../../spending/code-pools/personal.ts';
import { redemptionsData } from '../../spending/redemptions/personal.ts';
import { booksData } from '../books/personal.ts';
import { reportsData } from '../reports/personal.ts';
import { rightsData } from './personal.ts';

/** Every module's tables, and what is personal data in them. */
export const declaredData: readonly TableOfData[] = [
  ...directoryData,
  ...undoData,
  ...accessData,
  ...giftsData,
  ...ordersData,
  ...recognitionData,
  ...feedData,
  ...approvalsData,
  ...automationsData,
  ...deliveryData,
  ...budgetsData,
  ...redemptionsData,
  ...codePoolsData,
  ...rightsData,
  ...workspacesData,
  ...eventsData,
  ...importData,
  ...reportsData,
  ...booksData,
  ...databaseData,
  ...backupData,
];
