export type UserLanguage = 'en' | 'fr' | 'es';

export interface KnownUser {
  id: number;
  email: string;
  name: string;
}
