export const demoReasons = ['Teamwork', 'Customer first', 'Going the extra mile', 'Great idea'];

/** What people of the demo company thank each other for. */
export const demoThanks = [
  'Thank you for staying late to get the release out.',
  'The customer asked me to pass on how much you helped.',
  'Your workshop changed how we plan. Thank you!',
  'You made the new colleagues feel at home from day one.',
  'That was the calmest incident call I have ever been on.',
  'The payroll move went live on a Friday night and nobody noticed. That is the highest praise I know.',
  'Eleven hours, one broken pipeline and not one late delivery. Thank you for the phone calls in between.',
  'You said no to the wrong feature, kindly and with numbers. It saved us a month.',
  'Three customers mentioned you by name this week. I thought you should know.',
  'You explained the invoice to a very upset person until they laughed. I took notes.',
  'The handover notes you wrote are the reason I slept last weekend.',
  'Thank you for asking the question that everybody else was afraid to ask.',
  'You rebuilt the dashboard nobody trusted, and now we argue about facts.',
  'The accessibility fixes you pushed for got us the school district. Well done.',
  'You covered two shifts while I was with my father. I will not forget it.',
  'Your first demo was better than my tenth. Welcome!',
  'The contract was on the desk of the right person because you picked up the phone.',
  'Thank you for reading all forty pages and finding the one wrong number.',
  'You mentor like somebody who remembers being new.',
  'The migration plan had a way back for every step. We needed exactly one of them.',
];

export const demoGiftMessages = [
  'Happy work anniversary! Five years, and still the first to help.',
  'For the launch: you carried it over the line. Thank you.',
  'Thank you for a year in which everybody wanted to be on your team.',
  'You earned a good dinner. Take somebody you like.',
  'For the night of the outage. Sleep in tomorrow.',
  'Congratulations on the certificate! We know what evenings it cost.',
];

/** What recipients answered. */
export const demoAnswers = [
  'We bought the good olive oil. My daughter says hello.',
  'What a lovely surprise, thank you!',
  'It became a concert ticket. I will tell you about it.',
];
