import { readGiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import { brandColours } from '../../../../giving/gifts/brand.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { colourAddress } from './assets.ts';
import { readPageCompany } from './logo.ts';
import { initials } from './page.ts';

/** The style sheet of Giftwire's own colours. */
export const ownColours = colourAddress(brandColours(null).brand);

/** For pages of other areas that are the company's too. */
export function companyReader(on: Queryable) {
  return async (workspaceId: number) => {
    const { name, logo, colour } = await readPageCompany(on, workspaceId, await readGiftSettings(on, workspaceId));
    const { brand, onBrand } = brandColours(colour);
    return { name, initials: initials(name), logo, colour: brand, onColour: onBrand, style: colourAddress(brand) };
  };
}
