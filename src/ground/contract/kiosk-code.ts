import Type, { type Static } from 'typebox';
import { aMoment, aMomentOrNull, named } from './schema.ts';

export const KioskCode = named(
  'KioskCode',
  Type.Object(
    {
      memberId: Type.Integer({ description: 'The member.', examples: [7] }),
      employeeNumber: Type.String({ description: 'What they enter with the code.', examples: ['03302'] }),
      code: Type.String({ description: 'The code: ten digits. Print it for this person.', examples: ['4812719352'] }),
    },
    { description: 'A code with which a person signs in at a kiosk. It is shown once.' },
  ),
);
export type KioskCode = Static<typeof KioskCode>;

export const KioskCodeRecord = named(
  'KioskCodeRecord',
  Type.Object(
    {
      createdAt: aMoment('When it was created.'),
      usedAt: aMomentOrNull('When the person signed in with it first; null: not yet.'),
    },
    { description: 'A code for kiosks, without the code.' },
  ),
);
export type KioskCodeRecord = Static<typeof KioskCodeRecord>;

export const kioskCodeSchemas = [KioskCode, KioskCodeRecord];
