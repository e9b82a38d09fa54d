import { html } from 'ghtml';
import { bowPath, parcelBowPath } from '../../drawings.ts';

/** The parcel as it arrives: two halves of paper, a wire that ties itself into a bow, and a tag. */
export function sealedParcel(tag: string): string {
  return `<div class="stage" aria-hidden="true"><div class="parcel">
<i class="half"></i><i class="half"></i><i class="tie v"></i><i class="tie h"></i>
${tag}
<svg class="bow" viewBox="0 0 228 160"><path class="shade" d="${parcelBowPath}"/><path d="${parcelBowPath}"/><rect x="105" y="82.5" width="18" height="19" rx="7"/><path class="fold" d="M111 87.5c-1.500 3-1.500 6 0 9M117 87.5c1.500 3 1.500 6 0 9"/></svg>
</div></div>`;
}

const rays = ['V4', 'L236 30', 'L294 102', 'L290 204', 'L226 286', 'L74 286', 'L10 204', 'L6 102', 'L64 30'];
const sparks = rays.map((end) => `<path pathLength="1" d="M150 150${end}"/>`).join('');

/** What covers the letter while the parcel is being opened. It is there for 1.4 seconds, once. */
export const wrapping = `<div class="wrap" aria-hidden="true"><i class="half"></i><i class="half"></i><i class="tie v"></i><i class="tie h"></i>
<svg class="bow" viewBox="0 0 228 160"><path pathLength="1" d="${parcelBowPath}"/></svg>
<svg class="sparks" viewBox="0 0 300 300">${sparks}</svg></div>`;

/** The bow above a page on which something good has happened. */
export const bowMark = `<svg class="mark bow-mark" viewBox="0 0 32 26" aria-hidden="true"><path pathLength="1" d="${bowPath}"/></svg>`;

/** A wire that is broken: there is no gift here. */
export const brokenWire =
  '<svg class="mark wide" viewBox="0 0 60 26" aria-hidden="true"><path d="M0 14h20c4 0 6-4 6-7M60 14H40c-4 0-6 4-6 7"/></svg>';

/** A wire that goes on to its bow: there is something to open. */
export const wireWithBow =
  '<svg class="mark long" viewBox="0 0 168 56" aria-hidden="true"><path d="M0 46H60C72 46 79 40 84 32C90 18 102 6 110 11C119 16 112 32 84 32C56 32 49 16 58 11C66 6 78 18 84 32C89 40 96 46 108 46H168"/></svg>';

export function intro(mark: string, title: string, lead: string): string {
  return html`<div class="intro">!${mark}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p></div>`;
}
