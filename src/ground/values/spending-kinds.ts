/** What holds for a kind unless its entry says otherwise. */
const usual = {
  only: null,
  setting: null,
  needsSetting: false,
  hasRetailer: true,
  whyKept: null,
  whyAlone: null,
  recipientsReverse: false,
} as const;
const noTexts = { summary: null, linked: null, confirm: null, done: null, spent: null } as const;

/**
 * Every kind of spending option with its rules. The rest of the program asks this table instead of naming a kind, so a new kind that
 * combines these rules is one entry here. ARCHITECTURE.md lists what else it needs.
 */
export const spendingKinds = {
  PAYROLL: {
    ...usual,
    meaning: 'paid with the salary',
    only: { id: 'payroll', name: 'With the next salary', text: 'payrollName' },
    setting: 'columns',
    taxType: 'CASH',
    fulfilledBy: 'payroll',
    hasRetailer: false,
    recipientsReverse: true,
    icon: 'banknote',
    texts: {
      ...noTexts,
      summary: 'payrollText',
      lead: 'payrollText',
      confirm: { title: 'confirmPayroll', lead: 'confirmPayrollLead', yes: 'yesPayroll' },
      done: { title: 'donePayroll', lead: null },
      spent: 'spentPaid',
    },
  },
  HAND: {
    ...usual,
    meaning: 'a colleague fulfils each request, for example a donation',
    taxType: 'NON_CASH',
    fulfilledBy: 'colleague',
    icon: 'heart',
    texts: {
      ...noTexts,
      summary: 'handText',
      lead: 'handText',
      confirm: { title: 'confirmHand', lead: 'confirmHandLead', yes: 'yesHand' },
      done: { title: 'doneHand', lead: 'doneHandLead' },
      spent: 'spentFulfilled',
    },
  },
  POOL: {
    ...usual,
    meaning: 'a code of a pool',
    setting: 'poolId',
    needsSetting: true,
    taxType: 'NEAR_CASH',
    fulfilledBy: 'code',
    whyKept: 'the recipient has its code',
    icon: 'card',
    texts: {
      ...noTexts,
      lead: 'poolLead',
      confirm: { title: 'confirmPool', lead: 'confirmPoolLead', yes: 'yesPool' },
    },
  },
  TILL: {
    ...usual,
    meaning: 'at a till or in an online shop',
    setting: 'link',
    taxType: 'NEAR_CASH',
    fulfilledBy: 'till',
    whyAlone: 'a till takes the code of one gift',
    icon: 'shop',
    texts: { ...noTexts, summary: 'tillText', lead: 'tillLead', linked: { summary: 'shopText', lead: 'shopLead' } },
  },
} as const satisfies Record<string, Rules>;

interface Rules {
  /** What the API reference says about it. */
  meaning: string;
  /**
   * The one option of this kind, which every workspace offers until it turns it off; `text` is the key of its name in other languages.
   * Null: workspaces add options of this kind.
   */
  only: { id: string; name: string; text: string } | null;
  /** The setting that options of this kind have and no others. */
  setting: KindSetting | null;
  needsSetting: boolean;
  /** Unless the workspace sets another one. */
  taxType: 'CASH' | 'NEAR_CASH' | 'NON_CASH';
  /**
   * What completes a redemption: `payroll`, an export pays it; `colleague`, it is a request until a colleague has decided; `code`, the recipient
   * gets a code of the pool; `till`, a till redeems the gift. Recipients choose all but the last on the page of the gift.
   */
  fulfilledBy: 'payroll' | 'colleague' | 'code' | 'till';
  /** Whether the name of the option says where the gift was spent, unless a retailer is known. */
  hasRetailer: boolean;
  /** Why a redemption cannot be reversed; null: it can be. */
  whyKept: string | null;
  /** Why several gifts cannot be spent together with it; null: they can be. */
  whyAlone: string | null;
  /** Whether recipients can reverse what they have spent themselves, while no payroll export has it. */
  recipientsReverse: boolean;
  icon: string;
  /** Keys of what the page of the gift says. */
  texts: {
    /** In the list of options; null: the retailers of the pool. */
    summary: string | null;
    /** On the page of the option. */
    lead: string;
    /** The same if the option has a link. */
    linked: { summary: string; lead: string } | null;
    /** The question before it is spent; null: it is not spent on this page. */
    confirm: { title: string; lead: string; yes: string } | null;
    /** After that; null: the page shows the code, or it is not spent on this page. */
    done: { title: string; lead: string | null } | null;
    /** In the list of what was spent, once it is done. */
    spent: string | null;
  };
}

export type SpendingOptionKind = keyof typeof spendingKinds;
export const spendingOptionKinds = Object.keys(spendingKinds) as [SpendingOptionKind, ...SpendingOptionKind[]];

/** The settings that belong to one kind. */
export const kindSettings = ['columns', 'poolId', 'link'] as const;
export type KindSetting = (typeof kindSettings)[number];

export const payrollId = spendingKinds.PAYROLL.only.id;

/** The kinds with this rule. */
export function kindsWith<Rule extends keyof Rules>(rule: Rule, value: Rules[Rule]): SpendingOptionKind[] {
  return spendingOptionKinds.filter((kind) => spendingKinds[kind][rule] === value);
}

/** The same as a list in SQL: constants, so that the planner finds partial indexes. */
export function sqlKindsWith<Rule extends keyof Rules>(rule: Rule, value: Rules[Rule]): string {
  return `('${kindsWith(rule, value).join(`', '`)}')`;
}
