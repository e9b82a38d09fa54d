/** To whom something belongs that this browser keeps. Somebody else who signs in here does not get it. */
export interface Owner {
  workspaceId: number;
  userId: number;
}
