import { speak } from '../speak.ts';

const say = speak('en');

export const recognition = {
  text: 'Gifts and shoutouts, with their messages.',
  views: 'Recognition',
  feed: 'Feed',
  declined: 'Declined',
  give: 'Give a shoutout',
  noFeed: 'No recognition yet',
  noFeedText: 'Gifts and shoutouts are listed here, newest first.',
  noDeclined: 'No declined shoutouts',
  noDeclinedText: 'Declined shoutouts are listed here with the reason. They do not count as recognition.',
  approveOf: (sender: string, receiver: string) => `Approve the shoutout from ${sender} to ${receiver}`,
  declineOf: (sender: string, receiver: string) => `Decline the shoutout from ${sender} to ${receiver}`,
  approved: (sender: string, receiver: string) => `Approved: shoutout from ${sender} to ${receiver}.`,
  declinedOf: (sender: string, receiver: string) => `Declined: shoutout from ${sender} to ${receiver}.`,
  declineTitle: 'Decline this shoutout?',
  declineText: (receiver: string) =>
    `${receiver} will not see it, and it will not count as recognition. This cannot be undone.`,
  declineReason: 'Reason',
  declineReasonHint: 'Optional. Kept with the shoutout.',
  declinedBy: (name: string, reason: string) => (reason ? `Declined by ${name}: ${reason}` : `Declined by ${name}`),
  to: 'To',
  toHint: 'Start typing a name',
  nobodyFound: 'No person found',
  message: 'Message',
  messageHint: 'Say what happened and why it mattered.',
  left: (count: number) => `${count} ${say('{n, plural, one {character} other {characters}}', { n: count })} left`,
  reason: 'Reason',
  isPrivate: 'Private',
  isPrivateHint: 'Reports mark it as private, so that other systems can leave it out.',
  given: (name: string) => `Shoutout sent to ${name}.`,
  givenWaits: (name: string) => `Your shoutout to ${name} is waiting for approval.`,
  missingTo: 'Choose a recipient',
  missingMessage: 'Write a message',
};
