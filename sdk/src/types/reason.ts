/** A reason to add. */
export interface NewReason {
  /** What people are recognized for: 1 to 200 characters, unique in a workspace, ignoring case. */
  description: string;
  /** Whether gifts and shoutouts without a reason get this one. */
  isDefault?: boolean;
}

/** What to change about a reason. Fields that are left out stay as they are. */
export type ReasonChange = Partial<NewReason>;

/** What people can be recognized for. */
export interface Reason extends Required<NewReason> {
  /** Identifies the reason. */
  id: number;
}
