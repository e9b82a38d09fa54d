import type { employees as english } from '../en/employees.ts';

export const employees: typeof english = {
  text: 'Qui se connecte à l’application des employés, pour voir et utiliser ses cadeaux et pour se remercier. Il n’est pas nécessaire de créer des utilisateurs.',
  access: 'Qui peut se connecter',
  accesses: {
    OFF: 'Les utilisateurs seulement',
    ALL: 'Tout l’annuaire',
    AUDIENCE: 'Une partie de l’annuaire',
  },
  accessTexts: {
    OFF: 'Les personnes qui ont un rôle. Les autres ouvrent leurs cadeaux avec les liens de leurs courriels.',
    ALL: 'Toutes les personnes en poste, avec un lien par courriel, votre fournisseur OpenID ou un code imprimé.',
    AUDIENCE: 'Des services, des lieux, des équipes ou des personnes.',
  },
  noWay: {
    title: 'Personne ne peut encore se connecter à l’application',
    kioskOnly: 'Seules les personnes qui ont un code de borne peuvent se connecter',
    why: 'Ni serveur de messagerie ni fournisseur OpenID n’est configuré\u00a0: l’application n’offre donc aucune connexion par courriel ou par compte professionnel. L’administrateur du serveur configure l’un des deux\u00a0:',
    mailServer:
      'Un serveur de messagerie, pour envoyer les liens de connexion\u00a0: les paramètres GIFTWIRE_SMTP_URL, GIFTWIRE_MAIL_FROM et GIFTWIRE_PUBLIC_URL.',
    seeMail: 'Voir la configuration du courriel',
    provider:
      'Ou un fournisseur OpenID, pour les comptes professionnels\u00a0: les paramètres GIFTWIRE_OIDC_ISSUER, GIFTWIRE_OIDC_CLIENT_ID, GIFTWIRE_OIDC_CLIENT_SECRET et GIFTWIRE_PUBLIC_URL.',
  },
  who: 'Peuvent se connecter\u00a0:',
  address: 'Adresse de l’application',
  leaverDays: 'Jours pour les personnes parties',
  leaverDaysHint:
    'Pendant ce temps, elles lisent et utilisent les cadeaux qu’elles ont. Laissez vide pour fermer leur accès tout de suite.',
  setNames: 'Chacun choisit son nom d’usage',
  setNamesHint: 'Le nom que voient les collègues. Les fichiers de paie et fiscaux gardent le nom légal.',
  givesGifts: 'Les remerciements peuvent être accompagnés de cadeaux',
  givesGiftsHint:
    'Sur un budget personnel, ou sur un budget partagé avec un plafond par personne et par mois : ce plafond est leur dotation. Les règles s’appliquent comme à tout cadeau.',
  feedShowsGifts: 'Le fil dit qu’un cadeau accompagnait le remerciement',
  feedShowsGiftsHint: 'Seulement si l’expéditeur le veut aussi, et jamais le montant.',
  managerDigest: 'Courriel mensuel aux responsables',
  managerDigestHint:
    'Le premier jour du mois, les responsables lisent qui, parmi les personnes qui relèvent d’eux, n’a pas été remercié le mois précédent. Ils peuvent se désabonner.',
  matchesSubject: 'Identifier les personnes par leur compte professionnel',
  matchesSubjectHint:
    'Au lieu de l’adresse courriel. Pour les fournisseurs OpenID qui ne vérifient pas les adresses courriel, par exemple Entra ID. SCIM doit importer les personnes avec le même identifiant\u00a0: le «\u00a0subject\u00a0» d’OpenID est l’«\u00a0externalId\u00a0» de SCIM.',
  saved: 'Accès des employés enregistré.',
  kiosk: 'Code de borne',
  kioskText: (name) =>
    `Avec ce code et son matricule, ${name} se connecte à un écran partagé. Un code antérieur ne sert plus.`,
  kioskCreate: 'Créer un code de borne',
  kioskTitle: (name) => `Code de borne de ${name}`,
  kioskOnce: (number, page) =>
    `Imprimez-le pour cette personne. Il ne s’affiche que maintenant. Elle le saisit à l’adresse ${page} avec le matricule ${number}.`,
  kioskDone: 'Terminé',
  kioskRevoke: 'Révoquer le code de borne',
  kioskRevokeTitle: (name) => `Révoquer le code de borne de ${name}\u00a0?`,
  kioskRevokeText: 'Il ne sert plus, et ses sessions aux écrans partagés se ferment.',
  kioskRevoked: 'Code de borne révoqué.',
};
