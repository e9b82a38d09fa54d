export const parts = {
  retry: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  more: 'Show more',
  loading: 'Loading',
  offline: 'You are offline. Check your connection, then try again.',
  unreachable: 'The service cannot be reached. Try again in a moment.',
  serverFault: 'The service has a problem. Try again in a moment.',
  tooMany: 'Too many attempts. Try again in a few minutes.',
  forbidden: 'You do not have access to this.',
  required: 'Fill in this field.',
  /** What the service rejects, by status. In English, its own explanation is enough. */
  rejected: {} as Readonly<Record<number, string>>,
};
