/** ISO's own number of digits behind the point, of the currencies that have not two. Intl gives IQD, HUF and others fewer, and would round. */
const codesByDigits = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digitsByCode = new Map(
  Object.entries(codesByDigits).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
  ),
);

const mostDigits = 4;

/** How many digits an amount has behind the point; null: of whichever currency. */
export function currencyDigits(currency: string | null): number {
  return currency === null ? mostDigits : (digitsByCode.get(currency) ?? 2);
}
