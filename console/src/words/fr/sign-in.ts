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
  noPassword: 'Pas encore de mot de passe, ou oublié ?',
};
