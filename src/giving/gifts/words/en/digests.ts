/** What digests say, and the page that turns them off. */
export const digests = {
  digestSubject:
    '{count, plural, =0 {Recognition at {company} last week} one {You received a shoutout last week} other {You received # shoutouts last week}}',
  digestTitle: 'Your week in recognition',
  digestLead: '{from} to {to}',
  digestReceived: '{count, plural, one {You received a shoutout} other {You received # shoutouts}}',
  digestGiven: '{count, plural, one {You gave a shoutout} other {You gave # shoutouts}}',
  digestNewest: 'New in the feed',
  digestFrom: 'From {person}',
  digestTo: 'To {people}',
  digestBetween: '{person} to {people}',
  digestPeople: '{others, plural, =0 {{name}} one {{name} and one other} other {{name} and # others}}',
  digestColleague: 'a colleague',
  digestPrivate: 'private',
  digestButton: 'Open the feed',
  digestWhy: 'You get this email on Mondays, because you turned it on in your preferences.',
  digestUnsubscribe: 'Unsubscribe',
  digestMonthSubject:
    '{count, plural, one {One of your people was not recognized in {month}} other {# of your people were not recognized in {month}}}',
  digestMonthTitle: 'Not recognized in {month}',
  digestMonthLead:
    '{count, plural, one {One person who reports to you received no shoutout and no gift.} other {# people who report to you received no shoutout and no gift.}}',
  digestMonthOthers: '{count, plural, one {and one other} other {and # others}}',
  digestMonthNote:
    'This list leaves out people who were on leave or joined during the month. Private shoutouts between others do not count.',
  digestMonthButton: 'Give a shoutout',
  digestMonthWhy: 'Managers get this email on the first day of a month.',
  unsubscribeTitle: 'Unsubscribe?',
  unsubscribeLead:
    '{kind, select, MONTH {{company} will no longer send you the monthly email about your direct reports.} other {{company} will no longer send you the weekly email.}}',
  unsubscribeButton: 'Unsubscribe',
  unsubscribeDoneTitle: 'You are unsubscribed',
  unsubscribeDoneLead: 'You can turn the email on again in your preferences, in the employees’ app.',
};
