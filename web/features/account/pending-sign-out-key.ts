/** Marks a sign-out that the server has not confirmed. */
export const pendingSignOutKey = 'juntas:signing-out'
