/** A member of the workspace, identified by `email` or `employeeNumber`. */
export interface MemberReference {
  /** Takes precedence over `employeeNumber`. Addresses that differ only in case are the same person. */
  email?: string | null;
  /** Identifies the person when `email` is absent. */
  employeeNumber?: string | null;
}

/** One person, identified by `email` or `employeeNumber`. Giftwire adds a person whom it does not know to the directory. */
export interface Recipient extends MemberReference {
  /** Kept where the directory has no first name yet. */
  firstName?: string | null;
  /** Kept where the directory has no last name yet. */
  lastName?: string | null;
}
