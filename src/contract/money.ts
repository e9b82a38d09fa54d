const known = new Map<string, number>();

/** How many digits a currency has behind the point; null where the code is not one. */
export function minorDigits(currency: string): number | null {
  if (known.size === 0) {
    for (const code of Intl.supportedValuesOf('currency')) {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
      known.set(code, format.resolvedOptions().maximumFractionDigits ?? 2);
    }
  }
  return known.get(currency) ?? null;
}
