export const signIn = {
  title: 'Sign in',
  welcome: 'Recognition that arrives.',
  linkTitle: 'Your sign-in link',
  linkText: 'It works once. Select the button to sign in with this browser.',
  linkFault: 'This link has already been used, or it is older than 15 minutes.',
  linkHelp: 'Ask a workspace owner for a new link, or create one on the server that runs Giftwire:',
  enter: 'Sign in',
  otherWay: 'Sign in another way',
  email: 'Email',
  password: 'Password',
  with: (provider: string) => `Continue with ${provider}`,
  or: 'or',
  wrong: 'Wrong email address or password. Try again, or ask a workspace owner for a sign-in link.',
  /** Why signing in with a provider did not work. */
  faults: {
    unauthenticated: 'Signing in took too long or was interrupted. Try again.',
    forbidden: 'You do not have access yet. Ask a workspace owner to add you.',
    unavailable: 'Your sign-in provider cannot be reached. Try again in a moment, or sign in another way.',
    conflict: 'That account belongs to another user. Sign in with your own account.',
    tooMany: 'Too many sign-in attempts from your network. Try again in a minute.',
  },
  noPassword: 'No password, or forgot it?',
};
