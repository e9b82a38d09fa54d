import type { approvals as english } from '../en/approvals.ts';

export const approvals: Record<keyof typeof english, string> = {
  giftsOrName: '{gifts, plural, one {{recipient}} other {# cadeaux}}',
  approvalSubject: '{sender} vous demande d’approuver {amount}',
  askPreview: '{amount} pour {whom}. À décider avant la fin du {day}.',
  askTitle: '{sender} vous demande {amount}',
  askLead: 'Pour {whom}. Rien n’est envoyé avant votre décision.',
  askButton: 'Voir la demande et décider',
  askTotal: 'Total',
  askGifts: 'Cadeaux',
  askBy: 'À décider jusqu’au',
  askRule: 'La règle {rule} vous adresse cette demande.',
  askOwners:
    'Elle vous parvient en tant que propriétaire\u00a0: aucune personne désignée par la règle ne peut décider, car elle est partie, ou a envoyé, demandé ou reçoit l’un des cadeaux.',
  askSecond: '{name} a approuvé en premier. Votre décision est la dernière.',
  askPersonal: 'Ce lien est pour vous seulement\u00a0:',
  askPersonalText: 'une personne qui l’a peut décider en votre nom. Ne transférez pas ce courriel.',
  toldSubject:
    '{decision, select, APPROVED {Approbation} DECLINED {Refus} other {Pas de décision à temps}}\u00a0: {amount} pour {whom}',
  toldTitle:
    '{decision, select, APPROVED {{name} a approuvé la commande} DECLINED {{name} a refusé la commande} other {Pas de décision à temps}}',
  toldLead:
    '{decision, select, APPROVED {{amount} pour {whom}\u00a0: l’envoi se fait comme prévu.} DECLINED {{amount} pour {whom}\u00a0: rien n’a été envoyé. Le montant réservé est de nouveau disponible.} other {Le délai de décision est terminé. {amount} pour {whom}\u00a0: rien n’a été envoyé, et le montant réservé est de nouveau disponible.}}',
  toldButton: 'Ouvrir la commande',
  toldSender: 'De la part de',
  toldRule: 'Règle',
  decideStartTitle: 'Ouvrez le lien de votre courriel',
  decideStartLead:
    'Un courriel vous demande de décider, et son lien ouvre la demande ici. Vous pouvez aussi décider dans la console.',
  decideWaiting: 'Recherche de la demande',
  decideLead: 'pour {whom}',
  decideNote: 'Pourquoi, selon {sender}',
  decideWhy: 'Pourquoi vous',
  decideOwners:
    'Aucune personne désignée par la règle «\u00a0{rule}\u00a0» ne peut décider\u00a0: la demande va aux propriétaires',
  decideFirst: 'Première approbation',
  commentLabel: 'Commentaire pour {sender}',
  commentHint: 'Obligatoire pour refuser. Les destinataires ne le lisent pas.',
  commentFault: 'Pour refuser, écrivez un commentaire de 1 à 1\u00a0000 caractères. Il explique le refus à {sender}.',
  commentLong: 'Le commentaire est trop long. Il peut compter 1\u00a0000 caractères.',
  approveButton: 'Approuver {amount}',
  declineButton: 'Refuser',
  decideAs: 'Vous décidez en tant que {name}. Si ce n’est pas vous, fermez cette page.',
  decideChanged: 'La demande a changé depuis que vous avez ouvert cette page. Relisez-la, puis décidez.',
  decideRejected: 'Votre décision n’a pas été possible ici. Décidez dans la console, qui dit pourquoi.',
  decideOverLimit:
    'La commande dépasse une limite du budget ou d’un destinataire. Refusez-la, ou faites relever la limite et approuvez-la de nouveau.',
  decidedByYou: '{decision, select, APPROVED {Vous avez approuvé} other {Vous avez refusé}}',
  decidedByOther:
    '{decision, select, APPROVED {{name} a approuvé} DECLINED {{name} a refusé} other {Le délai de décision est terminé}}',
  decidedLead:
    '{decision, select, APPROVED {{amount} pour {whom}\u00a0: l’envoi se fait comme prévu. Vous n’avez rien d’autre à faire.} NEXT {{amount} pour {whom}\u00a0: le deuxième niveau décide maintenant. Vous n’avez rien d’autre à faire.} other {{amount} pour {whom}\u00a0: rien n’a été envoyé. Vous n’avez rien d’autre à faire.}}',
  decidedAsked: 'Demande de',
  decidedAt: 'Décision',
  notAskedTitle: 'Cette décision ne vous revient plus',
  notAskedLead: 'Cette demande n’attend pas votre décision pour le moment. La console montre celles qui l’attendent.',
  askedElsewhereTitle: 'Ce lien n’est plus valable',
  askedElsewhereLead:
    'La demande attend votre décision. Utilisez le lien du courriel le plus récent, ou décidez dans la console.',
  otherPersonTitle: 'Ce lien est pour une autre personne',
  otherPersonLead:
    'Votre session est celle de {name}. Seule la personne qui a reçu le courriel peut décider avec son lien.',
  linkNotFoundTitle: 'Ce lien ne fonctionne pas',
  linkNotFoundLead:
    'Votre messagerie l’a peut-être coupé. Ouvrez-le de nouveau dans le courriel, ou décidez dans la console.',
  linkTooManyTitle: 'Trop de liens erronés',
  linkTooManyLead:
    'Votre réseau a essayé beaucoup de liens erronés. Attendez {seconds} secondes, puis ouvrez le lien de votre courriel.',
  toConsole: 'Ouvrir la console',
};
