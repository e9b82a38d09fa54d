import type { en } from '../en/index.ts';
import { speak } from '../speak.ts';

const say = speak('es');

export const undo: (typeof en)['undo'] = {
  text: 'Las fusiones, las importaciones, los cambios de rol y los motivos que ya no se ofrecen se pueden deshacer durante 24 horas, salvo que algo haya cambiado después.',
  none: 'Nada que deshacer',
  noneText: 'Fusione dos fichas, importe personas o cambie un rol: durante 24 horas podrá deshacerlo aquí.',
  change: 'Cambio',
  timeLeft: 'Tiempo restante',
  left: (hours) => say('{n, plural, one {# hora} other {# horas}}', { n: hours }),
  hours: (hours) => say('{n, plural, one {queda # hora} other {quedan # horas}}', { n: hours }),
  undo: 'Deshacer',
  undoOf: (change) => `Deshacer: ${change}`,
  undone: 'Deshecho. Todo está como antes.',
  wholeText: 'Al deshacer, todo vuelve a estar como antes del cambio. Si algo cambió después, no se deshace nada.',
  mergeText:
    'La fusión vuelve a ser dos fichas, cada una con sus campos, correos electrónicos, equipos y personas a su cargo. Los regalos y agradecimientos recibidos después de la fusión se quedan en la ficha que se conservó. Si una de las dos cambió después, no se deshace nada.',
  reasonText: 'Este motivo se puede elegir de nuevo para regalos y agradecimientos.',
  importText:
    'Al deshacer, las personas vuelven a estar como antes del archivo, y se quitan las que el archivo añadió. Si alguna se modificó o se usó después, no se deshace nada.',
  link: 'Ver lo que se puede deshacer.',
  imported: (added, changed) =>
    say(
      'Importación: {added, plural, one {# persona añadida} other {# personas añadidas}}, {changed, plural, one {# modificada} other {# modificadas}}',
      { added, changed },
    ),
  kinds: {
    MEMBER_MERGE: (name) => `Fusión de ${name}`,
    MEMBER_IMPORT: () => 'Importación',
    USER_ROLE: (name) => `Rol de ${name}`,
    REASON: (name) => `Motivo que ya no se ofrece: ${name}`,
  },
};
