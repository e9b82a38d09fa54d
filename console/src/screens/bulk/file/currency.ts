import { currencies } from '../../../../../src/ground/values/money.ts';

/** The currencies that a sign or a code may mean. `main` is meant where nothing else is said; null: that has to be asked. */
export interface Candidates {
  all: ReadonlySet<string>;
  main: string | null;
}

/** What a text such as EUR, €, CA$ or kr means; null if it names no currency. */
export function currenciesNamed(text: string): Candidates | null {
  const key = text.replace(/[\s\u00a0\u202f.]/g, '');
  const code = key.toUpperCase();
  const isCode = codes.has(code) && (key === code || (key === key.toLowerCase() && !words.has(key)));
  if (isCode) return { all: new Set([code]), main: code };
  return signs.get(key) ?? signs.get(key.toLowerCase()) ?? null;
}

/**
 * The currency of a gift, from all that is said about it: in its cell, beside it, in the header. `usual` decides where a sign may mean
 * several, and where nothing is said.
 */
export function agreeOn(said: readonly Candidates[], usual: string): string | 'unclear' | 'contradiction' {
  if (said.length === 0) return usual;
  const left = currencies.filter((code) => said.every(({ all }) => all.has(code)));
  const [only] = left;
  if (only === undefined) return 'contradiction';
  if (left.length === 1) return only;
  if (left.includes(usual)) return usual;
  return said.map(({ main }) => main).find((main) => main !== null && left.includes(main)) ?? 'unclear';
}

const codes = new Set(currencies);

/** Codes that are words in lower case: "25 all" names no Albanian money. */
const words = new Set('all,bob,cup,gel,mad,mop,pen,ron,sos,top,try'.split(','));

const dollars = `USD CAD AUD NZD HKD SGD MXN TWD ARS CLP COP UYU BBD BMD BND BSD BZD DOP FJD GYD JMD KYD LRD NAD SBD SRD TTD TVD
  XCD ZWG CVE CUP`;

/** Signs with the currencies that use them. The first is the main one; after a question mark, none is. */
const signs = new Map(
  Object.entries({
    '€': 'EUR',
    euro: 'EUR',
    euros: 'EUR',
    $: `? ${dollars}`,
    dollar: `? ${dollars}`,
    dollars: `? ${dollars}`,
    ca$: 'CAD',
    c$: 'CAD',
    can$: 'CAD',
    cdn$: 'CAD',
    $ca: 'CAD',
    $can: 'CAD',
    us$: 'USD',
    u$s: 'USD',
    $us: 'USD',
    a$: 'AUD',
    au$: 'AUD',
    nz$: 'NZD',
    hk$: 'HKD',
    s$: 'SGD',
    sg$: 'SGD',
    nt$: 'TWD',
    mx$: 'MXN',
    mex$: 'MXN',
    r$: 'BRL',
    '£': 'GBP EGP FKP GIP LBP SDG SHP SSP SYP',
    '¥': '? JPY CNY',
    円: 'JPY',
    元: 'CNY',
    kr: '? SEK NOK DKK ISK',
    fr: '? CHF XOF XAF XPF',
    sfr: 'CHF',
    zł: 'PLN',
    kč: 'CZK',
    ft: 'HUF',
    lei: '? RON MDL',
    rs: '? INR PKR LKR NPR MUR SCR',
    rm: 'MYR',
    rp: 'IDR',
    R: 'ZAR',
    'S/': 'PEN',
    '₹': 'INR',
    '₩': 'KRW KPW',
    '₪': 'ILS',
    '₫': 'VND',
    '₴': 'UAH',
    '₺': 'TRY',
    '₽': 'RUB',
    '₱': 'PHP CUP',
    '₦': 'NGN',
    '₡': 'CRC SVC',
    '₲': 'PYG',
    '₵': 'GHS',
    '₸': 'KZT',
    '₮': 'MNT',
    '₭': 'LAK',
    '₼': 'AZN',
    '₾': 'GEL',
    '฿': 'THB',
    '៛': 'KHR',
    '৳': 'BDT',
  }).map(([sign, meant]) => {
    const all = meant.split(/\s+/);
    return [
      sign,
      { all: new Set(all.filter((code) => codes.has(code))), main: all[0] === '?' ? null : (all[0] ?? null) },
    ];
  }),
);
