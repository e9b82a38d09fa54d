import type { digests as english } from '../en/digests.ts';

export const digests: Record<keyof typeof english, string> = {
  digestSubject:
    '{count, plural, =0 {La reconnaissance chez {company} la semaine dernière} one {Vous avez reçu un remerciement la semaine dernière} other {Vous avez reçu # remerciements la semaine dernière}}',
  digestTitle: 'Votre semaine de reconnaissance',
  digestLead: 'Du {from} au {to}',
  digestReceived: '{count, plural, one {Vous avez reçu un remerciement} other {Vous avez reçu # remerciements}}',
  digestGiven: '{count, plural, one {Vous avez envoyé un remerciement} other {Vous avez envoyé # remerciements}}',
  digestNewest: 'Nouveau dans le fil',
  digestFrom: 'De {person}',
  digestTo: 'À {people}',
  digestBetween: '{person} à {people}',
  digestPeople: '{others, plural, =0 {{name}} one {{name} et une autre personne} other {{name} et # autres personnes}}',
  digestColleague: 'une personne',
  digestPrivate: 'privé',
  digestButton: 'Ouvrir le fil',
  digestWhy: 'Vous recevez ce courriel le lundi, parce que vous l’avez activé dans vos préférences.',
  digestUnsubscribe: 'Se désabonner',
  digestMonthSubject:
    '{count, plural, one {Une personne de votre équipe n’a pas été remerciée en {month}} other {# personnes de votre équipe n’ont pas été remerciées en {month}}}',
  digestMonthTitle: 'Sans remerciement en {month}',
  digestMonthLead:
    '{count, plural, one {Une personne qui relève de vous n’a reçu ni remerciement ni cadeau.} other {# personnes qui relèvent de vous n’ont reçu ni remerciement ni cadeau.}}',
  digestMonthOthers: '{count, plural, one {et une autre personne} other {et # autres personnes}}',
  digestMonthNote:
    'Cette liste ne contient pas les personnes en congé ni celles qui sont arrivées pendant le mois. Les remerciements privés entre d’autres personnes ne comptent pas.',
  digestMonthButton: 'Remercier',
  digestMonthWhy: 'Les responsables reçoivent ce courriel le premier jour du mois.',
  unsubscribeTitle: 'Se désabonner\u00a0?',
  unsubscribeLead:
    '{kind, select, MONTH {{company} ne vous enverra plus le courriel mensuel sur les personnes qui relèvent de vous.} other {{company} ne vous enverra plus le courriel hebdomadaire.}}',
  unsubscribeButton: 'Se désabonner',
  unsubscribeDoneTitle: 'Désabonnement enregistré',
  unsubscribeDoneLead: 'Vous pouvez réactiver ce courriel dans vos préférences, dans l’application des employés.',
};
