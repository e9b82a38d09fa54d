import { sqlKindsWith } from '../../ground/values/spending-kinds.ts';

const isPaid = `kind in ${sqlKindsWith('fulfilledBy', 'payroll')}`;
/** Redemptions that are paid, and no export has them. */
export const unpaid = `${isPaid} and state = 'DONE' and exported_in is null`;
/** Redemptions that an export has, and that were reversed later. One that was reversed before it was exported has no line at all. */
export const unreturned = `${isPaid} and state = 'REVERSED' and exported_in is not null and reversed_in is null`;
