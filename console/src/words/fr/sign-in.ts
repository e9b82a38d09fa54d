export const signIn: typeof import('../en/sign-in.ts').signIn = {
  title: 'Se connecter',
  signedOut: 'Votre session a pris fin. Votre saisie est conservée.',
  signedOutGift: 'Votre session a pris fin. Votre cadeau est conservé.',
  linkTitle: 'Votre lien de connexion',
  linkText: 'Il ne sert qu’une fois. Utilisez le bouton pour vous connecter avec ce navigateur.',
  linkFault: 'Ce lien a déjà servi ou date de plus de 15 minutes.',
  linkHelp:
    'Demandez un nouveau lien à un propriétaire de l’espace de travail, ou créez-en un sur le serveur qui exécute Giftwire\u00a0:',
  enter: 'Se connecter',
  otherWay: 'Se connecter autrement',
  email: 'Courriel',
  password: 'Mot de passe',
  with: (provider) => `Continuer avec ${provider}`,
  or: 'ou',
  wrong:
    'Courriel ou mot de passe incorrect. Réessayez, ou demandez un lien de connexion à un propriétaire de l’espace de travail.',
  /** Why signing in with a provider did not work. */
  faults: {
    unauthenticated: 'La connexion a pris trop de temps ou a été interrompue. Réessayez.',
    forbidden: 'Vous n’avez pas encore accès. Demandez à un propriétaire de l’espace de travail de vous ajouter.',
    unavailable:
      'Votre fournisseur de connexion est injoignable. Réessayez dans un instant, ou connectez-vous autrement.',
    conflict: 'Ce compte appartient à un autre utilisateur. Connectez-vous avec le vôtre.',
    tooMany: 'Trop de tentatives de connexion depuis votre réseau. Réessayez dans une minute.',
  },
  emailLink: 'M’envoyer un lien de connexion',
  emailedLink: (email) => `Si ${email} a accès, un lien est en route. Il fonctionne une fois, pendant 15 minutes.`,
  noPassword: 'Pas de mot de passe, ou mot de passe oublié\u00a0?',
};
