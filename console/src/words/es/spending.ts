import { count } from '../count.ts';
import type { spending as english } from '../en/spending.ts';

const many = count('es');

export const spending: typeof english = {
  edit: 'Editar',
  kinds: { PAYROLL: 'Con el salario', POOL: 'Códigos de una tienda', HAND: 'A mano o donación', TILL: 'Caja o tienda' },
  cancel: 'Cancelar',
  save: 'Guardar',
  poolsText: 'Códigos de tiendas que compró su empresa. Se guardan cifrados y cada uno es para una sola persona.',
  addPool: 'Añadir una reserva',
  changePool: 'Cambiar esta reserva',
  noPools: 'Todavía no hay códigos',
  noPoolsText: 'Compre códigos de una tienda, añádalos aquí con un archivo y ofrézcalos como forma de gastar.',
  poolName: 'Nombre',
  currency: 'Moneda',
  retailer: 'Tienda',
  worth: 'Valor',
  codesLeft: 'Quedan',
  codesGiven: 'Entregados',
  codesExpired: 'Vencidos',
  stock: 'Existencias',
  empty: 'Vacía',
  low: 'Baja',
  enough: 'Suficiente',
  lowAt: (codes) => many(codes, 'Baja con # código', 'Baja con # códigos'),
  lowLabel: 'Se considera baja con',
  lowHint: 'Códigos de una tienda y un valor. Los webhooks lo reciben.',
  noCodes: 'Esta reserva todavía no tiene códigos.',
  addCodes: 'Añadir códigos de un archivo',
  template: 'Descargar una plantilla',
  codesAdded: (codes) => many(codes, 'Se añadió # código.', 'Se añadieron # códigos.'),
};
