export const employees = {
  text: 'Who signs in to the employees’ app, to see and spend their gifts and to recognize each other. You do not need to add them as users.',
  access: 'Who can sign in',
  accesses: { OFF: 'Users only', ALL: 'Everyone in the directory', AUDIENCE: 'A part of the directory' },
  accessTexts: {
    OFF: 'People with a role. Everyone else opens their gifts with the links in their emails.',
    ALL: 'Everyone who has not left, with an emailed link, your OpenID provider or a printed code.',
    AUDIENCE: 'People of some departments, locations or teams, or one by one.',
  },
  noWay: {
    title: 'No one can sign in to the app yet',
    kioskOnly: 'Only people with a kiosk code can sign in',
    why: 'No mail server and no OpenID provider is set up, so the app has no way to sign in with an email address or a work account. An operator of this service sets up one of them:',
    mailServer:
      'A mail server, to email sign-in links: the settings GIFTWIRE_SMTP_URL, GIFTWIRE_MAIL_FROM and GIFTWIRE_PUBLIC_URL.',
    seeMail: 'See how email is set up',
    provider:
      'Or an OpenID provider, for work accounts: the settings GIFTWIRE_OIDC_ISSUER, GIFTWIRE_OIDC_CLIENT_ID, GIFTWIRE_OIDC_CLIENT_SECRET and GIFTWIRE_PUBLIC_URL.',
  },
  who: 'These people sign in:',
  address: 'Address of the app',
  leaverDays: 'Days for people who have left',
  leaverDaysHint:
    'For this long they read and spend the gifts that they have. Leave empty to end their access at once.',
  setNames: 'People set their preferred name',
  setNamesHint: 'The name that colleagues see. Payroll and tax files keep the legal name.',
  givesGifts: 'People add gifts to their shoutouts',
  givesGiftsHint:
    'From a budget of their own, or from a shared budget with a cap for each person and month: the cap is their allowance. Rules apply as to every gift.',
  feedShowsGifts: 'The feed says that a gift came',
  feedShowsGiftsHint: 'Only if its sender wants that too, and never the amount.',
  managerDigest: 'Monthly email to managers',
  managerDigestHint:
    'On the first day of a month, managers read which of their direct reports were not recognized in the month before. They can unsubscribe.',
  matchesSubject: 'Match people by the id of their work account',
  matchesSubjectHint:
    'Instead of by email address. For OpenID providers that do not verify email addresses, for example Entra ID. SCIM has to import people with the same id: the “subject” of OpenID is the “externalId” of SCIM.',
  saved: 'Access of employees saved.',
  kiosk: 'Kiosk code',
  kioskText: (name: string) =>
    `${name} signs in at a shared screen with this code and their employee number. An earlier code stops working.`,
  kioskCreate: 'Create kiosk code',
  kioskTitle: (name: string) => `Kiosk code for ${name}`,
  kioskOnce: (number: string, page: string) =>
    `Print it for this person. It is shown only now. They enter it at ${page} with the number ${number}.`,
  kioskDone: 'Done',
  kioskRevoke: 'Revoke kiosk code',
  kioskRevokeTitle: (name: string) => `Revoke the kiosk code of ${name}?`,
  kioskRevokeText: 'It stops working, and their sessions at shared screens end.',
  kioskRevoked: 'Kiosk code revoked.',
};
