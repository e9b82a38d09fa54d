import type { tv as english } from '../en/tv.ts';

export const tv: typeof english = {
  title: 'Agradecimientos',
  note: 'Solo agradecimientos públicos, sin importes',
  join: (address) => `Envíe uno en ${address}`,
  empty: 'Aquí aparecerá el primer agradecimiento',
  emptyText: 'Cuando los colegas se agradecen algo, todos lo leen en esta pantalla.',
  revoked: 'Esta pantalla está desactivada',
  revokedText: 'Su enlace fue revocado o no está completo. El equipo de RR. HH. puede crear otro.',
  away: 'Sin conexión. Estos son los últimos agradecimientos recibidos.',
  withGift: 'con un regalo',
};
