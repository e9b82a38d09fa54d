export interface KnownUser {
  id: number;
  email: string;
  name: string;
}
