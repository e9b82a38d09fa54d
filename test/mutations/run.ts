import { accessMutations } from './access.ts';
import { approvalMutations } from './approvals.ts';
import { budgetMutations } from './budgets.ts';
import { codePoolMutations } from './code-pools.ts';
import { contractMutations } from './contract.ts';
import { databaseMutations } from './database.ts';
import { deliveryMutations } from './delivery.ts';
import { directoryMutations } from './directory.ts';
import { employeeMutations } from './employees.ts';
import { eventMutations } from './events.ts';
import { giftPageMutations } from './gift-page.ts';
import { giftRepairMutations } from './gift-repairs.ts';
import { httpMutations } from './http.ts';
import { orderMutations } from './orders.ts';
import { ownRightsMutations } from './own-rights.ts';
import { runMutations } from './program.ts';
import { recognitionMutations } from './recognition.ts';
import { redemptionMutations } from './redemptions.ts';
import { reportMutations } from './reports.ts';
import { sdkMutations } from './sdk.ts';

process.exitCode = await runMutations([
  ...accessMutations,
  ...employeeMutations,
  ...ownRightsMutations,
  ...httpMutations,
  ...giftPageMutations,
  ...orderMutations,
  ...giftRepairMutations,
  ...directoryMutations,
  ...recognitionMutations,
  ...reportMutations,
  ...sdkMutations,
  ...contractMutations,
  ...databaseMutations,
  ...deliveryMutations,
  ...eventMutations,
  ...approvalMutations,
  ...budgetMutations,
  ...codePoolMutations,
  ...redemptionMutations,
]);
