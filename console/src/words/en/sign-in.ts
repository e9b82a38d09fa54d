export const signIn = { title: 'Sign in' };
