/** The owner of what this browser stores. Another user who signs in here does not get it. */
export interface Owner {
  workspaceId: number;
  userId: number;
}
