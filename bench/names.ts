/** Names as a large company has them, so that searches find as many people as they would there. Some are long. */
export const firstNames = [
  ...'Aisha Alejandro Amara Anna Antonio Astrid Björn Carlos Charlotte Chloé Daniel David Dmitri Elena Emma Farid'.split(
    ' ',
  ),
  ...'Fatima Gabriel George Grace Hannah Hiroshi Ingrid Isabella Ivan Jamal James Julia Kavya Kenji Lars Laura'.split(
    ' ',
  ),
  ...'Léa Liam Lucía Marcus Maria Maya Mohammed Nadia Noah Nora Olga Oliver Pierre Priya Quinn Rahul Rosa'.split(' '),
  ...'Samir Sarah Sofia Thomas Tove Valentina Wei Yara Yusuf Zoë'.split(' '),
  'Jean-Baptiste',
  'Maximiliana-Konstantina',
];

export const lastNames = [
  ...'Adeyemi Andersson Bauer Bianchi Brown Chen Cohen Costa Diallo Dubois Eriksson Fernández Fischer García'.split(
    ' ',
  ),
  ...'Haddad Hansen Hernández Ito Ivanova Johnson Kaya Khan Kim Kowalski Kumar Lefebvre Lindqvist López Marín'.split(
    ' ',
  ),
  ...'Martin Mbeki Meyer Moreau Müller Nakamura Nguyen Novák Okafor Osei Park Patel Pereira Petrov Rossi Roy'.split(
    ' ',
  ),
  ...'Sánchez Sato Schmidt Silva Singh Smith Sokolov Suzuki Tanaka Tremblay Wang Weber Wilson Yılmaz Zhang'.split(' '),
  'Featherstonehaugh-Cholmondeley',
  'de la Fuente y Montenegro',
];
