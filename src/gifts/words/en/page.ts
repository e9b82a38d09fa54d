/** What gift pages say. */
export const page = {
  openGift: 'Open your gift',
};
