import { speak } from '../speak.ts';

const say = speak('en');

export const customFields = {
  text: 'What your company wants to know about people beyond the usual fields. Only owners, the people team and the person see the values.',
  full: (most: number) => `A workspace has up to ${most} custom fields. To add another one, remove one first.`,
  add: 'Add field',
  none: 'No custom fields yet',
  noneText: 'Add a field, for example a shirt size. You can then set it for people, import it and filter by it.',
  label: 'Label',
  key: 'Key',
  keyHint: 'Its name in files, in the API and in directory sync. It cannot be changed later.',
  kind: 'Kind',
  kinds: { TEXT: 'Text', NUMBER: 'Number', DATE: 'Date', CHOICE: 'Choice' },
  choices: 'Choices',
  choicesHint: 'One on each line.',
  actions: 'Actions',
  actionsFor: (label: string) => `Actions for ${label}`,
  addTitle: 'Add a custom field',
  editTitle: (label: string) => `Edit ${label}`,
  edit: 'Edit',
  save: 'Save',
  saved: (label: string) => `${label} saved.`,
  remove: 'Remove field',
  removeTitle: (label: string) => `Remove ${label}?`,
  removeText: (people: number) =>
    say(
      '{n, plural, =0 {No person has a value.} one {# person has a value, which is deleted with the field.} other {# people have a value, which is deleted with the field.}} This cannot be undone.',
      { n: people },
    ),
  removed: (label: string) => `${label} removed.`,
  filter: 'Custom field',
  value: 'Value',
  valueOf: (label: string) => `Value of ${label}`,
};
