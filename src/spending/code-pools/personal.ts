import { because, type TableOfData, technical, technicalColumns } from '../../ground/values/personal.ts';

export const codePoolsData: readonly TableOfData[] = [
  {
    table: 'code_pools',
    holds: 'pools of gift card codes',
    columns: technicalColumns(because.settings, 'name', 'currency'),
  },
  {
    table: 'pool_codes',
    holds: 'gift card codes, encrypted',
    columns: { retailer: technical('the name of a shop'), ...technicalColumns('a gift card code', 'sealed', 'hash') },
  },
  {
    table: 'pool_stocks',
    holds: 'how many codes are left',
    columns: technicalColumns('the name of a shop', 'retailer', 'announced'),
  },
];
