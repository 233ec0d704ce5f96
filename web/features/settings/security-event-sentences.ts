import type { SecurityEventKind } from '#contract/account-settings.ts'

/** What each event of the log is called. */
export const securityEventSentences: Record<SecurityEventKind, string> = {
  'user.create': 'Your account was opened',
  'user.update': 'Your account was changed',
  'username.update': 'Username changed',
  'password.update': 'Password changed',
  'email.request': 'Asked to change your e-mail',
  'email.update': 'E-mail changed',
  'email.undo': 'Change of e-mail undone',
  'session.create': 'Signed in',
  'session.update': 'Session prolonged',
  'session.delete': 'Signed out',
  'recovery.create': 'Somebody asked for a link to choose a password',
  'recovery.operator': 'The operator made a link to choose a password',
  'recovery.update': 'Password chosen by a link',
  'verification.create': 'Asked for a link to confirm',
  'verification.update': 'Confirmed by a link or code',
  'identity.delete': 'Connected account removed',
  'group.create': 'Created a group',
  'group.handover': 'Handed a group over',
  'group.delete': 'Deleted a group',
  'member.leave': 'Left a group',
  'member.remove': 'Removed a member from a group',
  'request.accept': 'Approved a request to join',
  'request.reject': 'Rejected a request to join',
}
