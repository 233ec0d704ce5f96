export type EmailOrSmsKind =
  | 'recovery'
  | 'verification'
  | 'sign-up'
  | 'magic-url'
  | 'code'
  | 'email-change'
  | 'email-taken'
  | 'email-undo'
  | 'deletion-asked'
  | 'new-device'
  | 'deletion-done'
  | 'export-ready'
  | 'operator-recovery'
  | 'summary'
  | 'reports-waiting'
  | 'suspension-proposed'
  | 'applications-waiting'
  | 'application-confirmation'
  | 'application-waiting'
  | 'application-approved'
  | 'application-declined'
  | 'test'
  | 'unlock-asked'
  | AccountNoticeKind
  | 'phone-code'
  | 'phone-verification'

/** Notices about new ways to sign in and about attempts. */
export type AccountNoticeKind =
  | 'phone-added'
  | 'identity-added'
  | 'two-steps-on'
  | 'two-steps-off'
  | 'password-known'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-refused'
  | 'password-removed'
  | 'account-reopened'

export type LocalizedCopy = { lang: 'es' | 'en'; before: string; after: string; button?: string }

export type EmailCopy = {
  kind: EmailOrSmsKind
  subject: string
  parts: readonly [LocalizedCopy, LocalizedCopy]
}
