/** Where a caller with every right gets neither a success nor a 409 for the example: it names something that is not there. */
export const withoutExample: Record<string, number> = {
  checkGift: 404,
  redeemGift: 404,
  reportBounce: 404,
  getKioskCode: 404,
  revokeKioskCode: 404,
  // Tokens act as no person here, have no deputy, and decide nothing.
  getMyPreferences: 404,
  changeMyPreferences: 404,
  getMyGift: 404,
  openMyGift: 404,
  claimMyGift: 404,
  sendMyVerificationCode: 404,
  thankForMyGift: 404,
  readMyGiftCode: 403,
  getMyData: 403,
  previewMySpending: 402,
  spendMyGifts: 402,
  getMySpending: 404,
  reverseMySpending: 404,
  readMyCard: 403,
  // The first post is between other people.
  changePost: 403,
  deletePost: 403,
  thankForShoutout: 403,
  // A post without a gift.
  checkPostGift: 400,
  getDeputy: 404,
  confirmErasure: 403,
  decideOrders: 403,
  nameDeputy: 403,
  removeDeputy: 403,
};
