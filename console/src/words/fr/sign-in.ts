export const signIn: typeof import('../en/sign-in.ts').signIn = {
  title: 'Se connecter',
  welcome: 'La reconnaissance qui arrive.',
  linkTitle: 'Votre lien de connexion',
  linkText: 'Il sert une seule fois. Appuyez sur le bouton pour vous connecter avec ce navigateur.',
  linkFault: 'Ce lien a déjà servi ou date de plus de 15 minutes.',
  linkHelp: 'Demandez-en un autre à un propriétaire de votre espace, ou créez-en un là où Giftwire tourne :',
  enter: 'Se connecter',
  otherWay: 'Se connecter autrement',
  email: 'Courriel',
  password: 'Mot de passe',
  with: (provider) => `Continuer avec ${provider}`,
  or: 'ou',
  wrong:
    'Le courriel et le mot de passe ne vont pas ensemble. Réessayez, ou demandez un lien de connexion à un propriétaire.',
  /** Why signing in with a provider did not work. */
  faults: {
    unauthenticated: 'Cet essai de connexion a duré trop longtemps ou a été interrompu. Réessayez.',
    forbidden: 'Personne ne vous a encore invité : demandez à un propriétaire de l’espace de votre entreprise.',
    unavailable: 'Votre service de connexion est injoignable. Réessayez dans un instant, ou autrement.',
    conflict: 'Ce compte appartient ici à une autre personne. Connectez-vous avec le vôtre.',
    tooMany: 'Trop d’essais de connexion sont venus de votre réseau. Réessayez dans une minute.',
  },
  noPassword: 'Pas encore de mot de passe, ou oublié ?',
};
