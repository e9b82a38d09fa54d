import type { hold as english } from '../en/hold.ts';

/** The legal hold on a person. */
export const hold: typeof english = {
  title: 'Retención legal',
  place: 'Poner bajo retención legal',
  placeTitle: (name: string) => `¿Poner a ${name} bajo retención legal?`,
  placeText:
    'Hasta que se levante, no se puede borrar ni anonimizar a esta persona, y se conservan los textos que escribió o recibió.',
  reason: 'Motivo',
  reasonHint: 'Por ejemplo, el caso. Figura en el registro de auditoría.',
  noReason: '',
  placed: 'Retención legal activa.',
  release: 'Levantar',
  releaseTitle: (name: string) => `¿Levantar la retención legal de ${name}?`,
  releaseText: 'Se puede volver a borrar a esta persona, y se aplican los plazos de conservación.',
  released: 'Retención legal levantada.',
  since: (day: string, who: string | null) => (who ? `Desde el ${day}, por ${who}` : `Desde el ${day}`),
};
