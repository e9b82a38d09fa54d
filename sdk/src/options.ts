/** Checks what a program passes to the constructor. A mistake there would otherwise show with the first call, as a rejected request. */
export function checkOptions(options: object): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('Giftwire needs an object of options, with url and workspace.');
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name];
    if (!rule) throw new TypeError(`Giftwire has no option ${name}: there are ${Object.keys(rules).join(', ')}.`);
    if (value === undefined ? rule.isRequired : !rule.fits(value)) throw new TypeError(`${name} ${rule.must}.`);
  }
  for (const [name, { isRequired, must }] of Object.entries(rules))
    if (isRequired && !(name in options)) throw new TypeError(`${name} is missing: it ${must}.`);
}

interface Rule {
  isRequired?: true;
  fits: (value: unknown) => boolean;
  must: string;
}

const rules: Record<string, Rule> = {
  url: {
    isRequired: true,
    fits: (value) => typeof value === 'string' && /^https?:\/\/[^/\s]\S*$/.test(value),
    must: 'must be the address of Giftwire, for example https://gifts.example.com',
  },
  workspace: {
    isRequired: true,
    fits: (value) => /^\d{1,15}$/.test(String(value)),
    must: 'must be the id of a workspace, a whole number',
  },
  token: {
    fits: (value) => typeof value === 'string' && value !== '',
    must: 'must be an API token, for example gw_live_…: is its environment variable empty?',
  },
  timeoutMs: { fits: isPositive, must: 'must be a number of milliseconds above 0' },
  retries: { fits: isCount, must: 'must be a whole number from 0, or Infinity' },
  fetch: { fits: (value) => typeof value === 'function', must: 'must be a function like fetch' },
  hooks: { fits: (value) => typeof value === 'object' && value !== null, must: 'must be an object of functions' },
};

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

function isCount(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 0);
}
