import { account } from './account.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { automations } from './automations.ts';
import { bulk } from './bulk.ts';
import { customFields } from './custom-fields.ts';
import { employees } from './employees.ts';
import { erasure } from './erasure.ts';
import { frame } from './frame.ts';
import { gifts } from './gifts.ts';
import { hold } from './hold.ts';
import { home } from './home.ts';
import { integrations } from './integrations.ts';
import { keptOut } from './kept-out.ts';
import { money } from './money.ts';
import { orders } from './orders.ts';
import { parts } from './parts.ts';
import { people } from './people.ts';
import { recognition } from './recognition.ts';
import { reports } from './reports.ts';
import { retention } from './retention.ts';
import { rules } from './rules.ts';
import { screens } from './screens.ts';
import { send } from './send.ts';
import { settings } from './settings.ts';
import { signIn } from './sign-in.ts';
import { spending } from './spending.ts';
import { tax } from './tax.ts';
import { tokens } from './tokens.ts';
import { undo } from './undo.ts';
import { users } from './users.ts';

export const en = {
  account,
  approvals,
  audit,
  automations,
  bulk,
  customFields,
  employees,
  erasure,
  frame,
  gifts,
  hold,
  home,
  keptOut,
  integrations,
  money,
  orders,
  parts,
  people,
  recognition,
  reports,
  retention,
  rules,
  screens,
  send,
  settings,
  signIn,
  spending,
  tax,
  tokens,
  undo,
  users,
};
