export const signIn: typeof import('../en/sign-in.ts').signIn = { title: 'Entrar' };
