import addFormats from 'ajv-formats';

const address = addFormats.default.get('email') as RegExp;

/** The format `email`. Its length comes first: the pattern does not bear megabytes. */
export function isEmail(value: string): boolean {
  return value.length <= 254 && address.test(value);
}
