export const signIn = {
  title: 'Sign in',
  welcome: 'Recognition that arrives.',
  linkTitle: 'Your sign-in link',
  linkText: 'It works once. Press the button to sign in with this browser.',
  linkFault: 'This link was used before or is older than 15 minutes.',
  linkHelp: 'Ask an owner of your workspace for another one, or make one where Giftwire runs:',
  enter: 'Sign in',
  otherWay: 'Sign in another way',
  email: 'E-mail',
  password: 'Password',
  with: (provider: string) => `Continue with ${provider}`,
  or: 'or',
  wrong: 'E-mail and password do not belong together. Try again, or ask an owner for a sign-in link.',
  /** Why signing in with a provider did not work. */
  faults: {
    unauthenticated: 'This attempt to sign in took too long or was broken off. Try again.',
    forbidden: 'Nobody has invited you yet: ask an owner of your company’s workspace.',
    unavailable: 'Your sign-in service cannot be reached. Try again in a moment, or use another way.',
    conflict: 'That account belongs to somebody else here. Sign in with your own.',
    tooMany: 'Too many attempts to sign in came from your network. Try again in a minute.',
  },
  noPassword: 'No password yet, or forgotten?',
};
