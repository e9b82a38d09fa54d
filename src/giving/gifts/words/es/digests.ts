import type { digests as english } from '../en/digests.ts';

export const digests: Record<keyof typeof english, string> = {
  digestSubject:
    '{count, plural, =0 {El reconocimiento en {company} la semana pasada} one {Recibió un agradecimiento la semana pasada} other {Recibió # agradecimientos la semana pasada}}',
  digestTitle: 'Su semana de reconocimiento',
  digestLead: 'Del {from} al {to}',
  digestReceived: '{count, plural, one {Recibió un agradecimiento} other {Recibió # agradecimientos}}',
  digestGiven: '{count, plural, one {Envió un agradecimiento} other {Envió # agradecimientos}}',
  digestNewest: 'Novedades del muro',
  digestFrom: 'De {person}',
  digestTo: 'A {people}',
  digestBetween: '{person} a {people}',
  digestPeople: '{others, plural, =0 {{name}} one {{name} y otra persona} other {{name} y otras # personas}}',
  digestColleague: 'una persona',
  digestPrivate: 'privado',
  digestButton: 'Abrir el muro',
  digestWhy: 'Recibe este correo los lunes porque lo activó en sus preferencias.',
  digestUnsubscribe: 'Cancelar la suscripción',
  digestMonthSubject:
    '{count, plural, one {Una persona a su cargo no recibió reconocimiento en {month}} other {# personas a su cargo no recibieron reconocimiento en {month}}}',
  digestMonthTitle: 'Sin reconocimiento en {month}',
  digestMonthLead:
    '{count, plural, one {Una persona a su cargo no recibió ningún agradecimiento ni regalo.} other {# personas a su cargo no recibieron ningún agradecimiento ni regalo.}}',
  digestMonthOthers: '{count, plural, one {y otra persona} other {y otras # personas}}',
  digestMonthNote:
    'La lista no incluye a quienes estuvieron de licencia o se incorporaron durante el mes. Los agradecimientos privados entre otras personas no cuentan.',
  digestMonthButton: 'Dar las gracias',
  digestMonthWhy: 'Los responsables reciben este correo el primer día del mes.',
  unsubscribeTitle: '¿Cancelar la suscripción?',
  unsubscribeLead:
    '{kind, select, MONTH {{company} ya no le enviará el correo mensual sobre las personas a su cargo.} other {{company} ya no le enviará el correo semanal.}}',
  unsubscribeButton: 'Cancelar la suscripción',
  unsubscribeDoneTitle: 'Suscripción cancelada',
  unsubscribeDoneLead: 'Puede volver a activar este correo en sus preferencias, en la aplicación de empleados.',
};
