/** Somebody whom an address leads to. */
export interface KnownPerson {
  employeeNumber: string | null;
  hasLeft: boolean;
}

/**
 * Whether what another system says under an address is about the person who has it. Another employee number is another
 * person: `recycled` where the one who has the address has left, `contradicting` where they are still here. A new hire must
 * never become the one who had their address before, whose private texts they would then read.
 */
export function comparePerson(
  known: KnownPerson,
  said: { employeeNumber?: string | null | undefined },
): 'same' | 'recycled' | 'contradicting' {
  const isAnother = known.employeeNumber && said.employeeNumber && known.employeeNumber !== said.employeeNumber;
  if (!isAnother) return 'same';
  return known.hasLeft ? 'recycled' : 'contradicting';
}
