import type { EmailOrSmsKind } from './message-text-types.ts'

/** True for emails about changes of a member's account and attempts to enter it. */
const isSecurityKind: Record<EmailOrSmsKind, boolean> = {
  recovery: false,
  verification: false,
  'sign-up': false,
  'magic-url': false,
  code: false,
  'email-change': false,
  'email-taken': true,
  'email-undo': true,
  'deletion-asked': true,
  'new-device': true,
  'deletion-done': true,
  'export-ready': true,
  'operator-recovery': true,
  summary: false,
  'reports-waiting': false,
  'suspension-proposed': true,
  'applications-waiting': false,
  'application-confirmation': false,
  'application-waiting': false,
  'application-approved': false,
  'application-declined': false,
  test: false,
  'unlock-asked': true,
  'phone-added': true,
  'identity-added': true,
  'two-steps-on': true,
  'two-steps-off': true,
  'password-known': true,
  'passkey-added': true,
  'passkey-removed': true,
  'passkey-refused': true,
  'password-removed': true,
  'account-reopened': true,
  'phone-code': false,
  'phone-verification': false,
}

/** False for kinds that only a newer node knows. */
export const isDiscardable = (kind: string): boolean =>
  !((isSecurityKind as Record<string, boolean>)[kind] ?? true)
