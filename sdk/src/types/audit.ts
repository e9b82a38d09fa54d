/** A person who signed in, a token, the command line, or the service itself. */
export type ActorKind = 'USER' | 'TOKEN' | 'CLI' | 'SYSTEM';

/** Who did something. */
export interface Actor {
  /** What kind of caller. */
  is: ActorKind;
  /** The id of the person or of the token. */
  id: number | null;
  /** Their name at that time. */
  name: string | null;
}

/** Who did what. */
export interface AuditEntry {
  /** Grows with time. */
  id: number;
  /** When it was done. */
  at: string;
  /** Who did it. */
  actor: ActorKind;
  /** The id of the person or of the token. */
  actorId: number | null;
  /** Their name at that time. */
  actorName: string | null;
  /** The kind of thing and what was done to it, as token.created. */
  action: string;
  /** The id of the thing. */
  subjectId: string | null;
  /** Its name at that time. */
  subjectName: string | null;
  /** What else is known about it. */
  detail: Record<string, unknown>;
}

/** Which entries of the audit log to read. */
export interface AuditQuery {
  /** Only what this kind of caller did. */
  actor?: ActorKind;
  /** Only what the person or token with this id did. */
  actorId?: number;
  /** Only this action, as token.created, or all that begin so, as token. */
  action?: string;
  /** Only what was done to the thing with this id. */
  subjectId?: string;
  /** From this day or moment on. */
  from?: string;
  /** Up to the end of this day, or before this moment. */
  to?: string;
  /** Entries on a page; 50 when absent. */
  size?: number;
  /** The `next` of the page before. */
  after?: number;
  /** For a file: whether it begins with a byte order mark, which tells Excel that the text is UTF-8. */
  bom?: boolean;
}

/** A page of the audit log. */
export interface AuditPage {
  /** The latest first. */
  entries: AuditEntry[];
  /** Where the next page begins; null on the last page. */
  next: number | null;
}
