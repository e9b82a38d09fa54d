import { count } from '../count.ts';

const many = count('en');

/** How gifts are spent, and pools of codes. */
export const spending = {
  edit: 'Edit',
  kinds: { PAYROLL: 'With the salary', POOL: 'Codes of a shop', HAND: 'By hand or charity', TILL: 'Till or shop' },
  cancel: 'Cancel',
  save: 'Save',
  poolsText: 'Codes of shops that your company bought. They are stored encrypted, and each is given to one person.',
  addPool: 'Add a pool',
  changePool: 'Change this pool',
  noPools: 'No codes yet',
  noPoolsText: 'Buy codes of a shop, add them here as a file, and offer them as a way to spend.',
  poolName: 'Name',
  currency: 'Currency',
  retailer: 'Shop',
  worth: 'Worth',
  codesLeft: 'Left',
  codesGiven: 'Given',
  codesExpired: 'Expired',
  stock: 'Stock',
  empty: 'Empty',
  low: 'Low',
  enough: 'Enough',
  lowAt: (codes: number) => many(codes, 'Low at # code', 'Low at # codes'),
  lowLabel: 'Counts as low at',
  lowHint: 'Codes of one shop and value. Webhooks hear of it.',
  noCodes: 'This pool has no codes yet.',
  addCodes: 'Add codes from a file',
  template: 'Download a template',
  codesAdded: (codes: number) => many(codes, '# code was added.', '# codes were added.'),
};
