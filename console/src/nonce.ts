import { setNonce } from 'get-nonce';

/**
 * The content policy allows style elements that carry the nonce of this page. Mantine asks for it, and so does the library that keeps
 * the page from scrolling under a dialog, through get-nonce. Browsers hide the attribute and keep the property.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.nonce ?? '';

setNonce(styleNonce);
