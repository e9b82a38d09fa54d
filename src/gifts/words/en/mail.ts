/** What mails say. */
export const mail = {
  giftSubject: '{sender} sent you a gift',
};
