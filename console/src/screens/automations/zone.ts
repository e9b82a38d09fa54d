/** America/Argentina/Buenos_Aires: Buenos Aires. */
export function cityOf(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}
