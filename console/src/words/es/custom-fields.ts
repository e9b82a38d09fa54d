import { speak } from '../speak.ts';

const say = speak('es');

export const customFields = {
  text: 'Lo que su empresa quiere saber de las personas además de los campos habituales. Solo los propietarios, el equipo de RR. HH. y la persona ven los valores.',
  full: (most: number) =>
    `Un espacio de trabajo tiene como máximo ${most} campos personalizados. Para añadir otro, elimine uno primero.`,
  add: 'Añadir campo',
  none: 'Aún no hay campos personalizados',
  noneText:
    'Añada un campo, por ejemplo una talla de camiseta. Después podrá rellenarlo, importarlo y usarlo como filtro.',
  label: 'Etiqueta',
  key: 'Clave',
  keyHint: 'Su nombre en los archivos, en la API y en la sincronización del directorio. No se puede cambiar después.',
  kind: 'Tipo',
  kinds: { TEXT: 'Texto', NUMBER: 'Número', DATE: 'Fecha', CHOICE: 'Opción' },
  choices: 'Opciones',
  choicesHint: 'Una por línea.',
  actions: 'Acciones',
  actionsFor: (label: string) => `Acciones para ${label}`,
  addTitle: 'Añadir un campo personalizado',
  editTitle: (label: string) => `Editar ${label}`,
  edit: 'Editar',
  save: 'Guardar',
  saved: (label: string) => `${label}: cambios guardados.`,
  remove: 'Eliminar campo',
  removeTitle: (label: string) => `¿Eliminar ${label}?`,
  removeText: (people: number) =>
    say(
      '{n, plural, =0 {Ninguna persona tiene un valor.} one {# persona tiene un valor, que se elimina con el campo.} other {# personas tienen un valor, que se elimina con el campo.}} Esta acción no se puede deshacer.',
      { n: people },
    ),
  removed: (label: string) => `${label}: campo eliminado.`,
  filter: 'Campo personalizado',
  value: 'Valor',
  valueOf: (label: string) => `Valor de ${label}`,
};
