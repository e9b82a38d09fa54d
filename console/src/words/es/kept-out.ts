import type { keptOut as english } from '../en/kept-out.ts';

/** A person who is kept out of reports about individuals. */
export const keptOut: typeof english = {
  title: 'Fuera de los informes',
  place: 'Excluir de los informes',
  placeTitle: (name: string) => `¿Excluir a ${name} de los informes?`,
  placeText:
    'Los informes sobre personas, el muro y las automatizaciones dejan fuera a esta persona. Los totales no cambian, ni el directorio, los regalos, la nómina y el registro fiscal.',
  reason: 'Motivo',
  reasonHint: 'Por ejemplo, que lo ha pedido. Figura en el registro de auditoría.',
  noReason: 'La persona se ha opuesto en la aplicación de empleados.',
  placed: 'Exclusión guardada.',
  release: 'Volver a incluir',
  releaseTitle: (name: string) => `¿Volver a incluir a ${name} en los informes?`,
  releaseText: 'Los informes sobre personas, el muro y las automatizaciones vuelven a mostrar a esta persona.',
  released: 'La persona vuelve a figurar en los informes.',
  since: (day: string, who: string | null) => (who ? `Desde el ${day}, por ${who}` : `Desde el ${day}`),
};
