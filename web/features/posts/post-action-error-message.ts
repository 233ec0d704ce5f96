/** Says why a like or a save was not stored: for want of a connection, where the browser knows that. */
export const getPostActionErrorMessage = (): string =>
  navigator.onLine
    ? 'Something went wrong. Please try again.'
    : 'You’re offline. Please try again when you’re back.'
