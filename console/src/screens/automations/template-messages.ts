import type { AutomationTerms } from './terms.ts';

type Messages = AutomationTerms['messages'];

/** What the templates say, until the people team says it in their own words. */
export const templateMessages = {
  BIRTHDAY: {
    EN: 'Happy birthday, {firstName}. We are glad that you are with us. Have a good day, and enjoy a small gift from all of us.',
    FR: 'Joyeux anniversaire, {firstName}. Nous sommes heureux de travailler avec vous. Passez une belle journée, avec ce petit cadeau de notre part à tous.',
    ES: 'Feliz cumpleaños, {firstName}. Nos alegra trabajar con usted. Que tenga un buen día, con este pequeño regalo de parte de todos.',
  },
  ANNIVERSARY: {
    EN: 'Dear {firstName}, {years} ago you joined {company}. Thank you for the days that went well, and even more for the ones that did not.',
    FR: 'Bonjour {firstName}, il y a {years}, vous rejoigniez {company}. Merci pour les journées qui se sont bien passées, et plus encore pour les autres.',
    ES: 'Hola, {firstName}: hace {years} que llegó a {company}. Gracias por los días que salieron bien y, más aún, por los que no.',
  },
  FIRST_DAY: {
    EN: 'Welcome, {firstName}. Today is your first day at {company}, and we are glad that you are here.',
    FR: 'Bienvenue, {firstName}. C’est aujourd’hui votre premier jour chez {company}, et nous nous en réjouissons.',
    ES: 'Le damos la bienvenida, {firstName}. Hoy es su primer día en {company} y nos alegra mucho.',
  },
  DAY_90: {
    EN: '{firstName}, three months have passed since your first day. Thank you for how you have become part of the team.',
    FR: '{firstName}, trois mois ont passé depuis votre premier jour. Merci pour la place que vous avez prise dans l’équipe.',
    ES: '{firstName}, han pasado tres meses desde su primer día. Gracias por haberse integrado tan bien en el equipo.',
  },
  HOLIDAY: {
    EN: 'The year is ending, {firstName}. Thank you for all that you did in it. Have a good rest, and a good start into the next one.',
    FR: 'L’année se termine, {firstName}. Merci pour tout ce que vous y avez fait. Reposez-vous bien, et bon début d’année.',
    ES: 'Termina el año, {firstName}. Gracias por todo lo que hizo. Que descanse bien y empiece bien el próximo.',
  },
  UNRECOGNIZED: {
    EN: 'Thank you, {firstName}, for your work of the past weeks. It helps the whole team.',
    FR: 'Merci, {firstName}, pour votre travail de ces dernières semaines. Il aide toute l’équipe.',
    ES: 'Gracias, {firstName}, por su trabajo de las últimas semanas. Ayuda a todo el equipo.',
  },
} satisfies Record<string, Messages>;
