/** The dialect's models, field by field (platform reference §6). Null strings are empty there. */
import type { Selectable } from 'kysely'
import type { Tables } from '../database/schema.ts'
import { clientOf } from '../user-agent.ts'
import { toInstant } from '../views.ts'

type Row<T extends keyof Tables> = Selectable<Tables[T]>

export const accountModel = (row: Row<'accounts'>) => ({
  $id: row.public_id,
  $createdAt: toInstant(row.created_at),
  $updatedAt: toInstant(row.updated_at),
  name: row.name,
  registration: toInstant(row.created_at),
  status: row.status === 'active',
  labels: row.labels,
  passwordUpdate: row.password_updated_at ? toInstant(row.password_updated_at) : '',
  email: row.email ?? '',
  phone: row.phone ?? '',
  emailVerification: row.email_verified,
  phoneVerification: row.phone_verified,
  mfa: false,
  prefs: row.prefs,
  targets: [],
  accessedAt: toInstant(row.accessed_at),
})

/** No address is looked up anywhere, so no country is known. */
const place = { countryCode: '--', countryName: 'Unknown' }

/** What proved her, in the words of newer clients. */
const factors: Record<string, string[]> = {
  email: ['password'],
  anonymous: ['anonymous'],
  'magic-url': ['email'],
  token: ['email'],
  phone: ['phone'],
}

export const sessionModel = (
  row: Row<'sessions'>,
  { accountId, current }: { accountId: string; current: boolean },
) => ({
  $id: row.public_id,
  $createdAt: toInstant(row.created_at),
  $updatedAt: toInstant(row.updated_at),
  userId: accountId,
  expire: toInstant(row.expires_at),
  provider: row.provider,
  providerUid: row.provider_uid,
  // A provider's own tokens are never kept.
  providerAccessToken: '',
  providerAccessTokenExpiry: '',
  providerRefreshToken: '',
  ip: row.ip ?? '',
  ...clientOf(row.user_agent),
  ...place,
  current,
  factors: factors[row.provider] ?? ['oauth'],
  secret: '',
  mfaUpdatedAt: '',
})

/**
 * The answer to asking for a secret, which travels by mail or message alone. The user id is the one the asker was told.
 */
export const tokenModel = (
  row: Pick<Row<'tokens'>, 'public_id' | 'created_at' | 'expires_at' | 'asked_as'>,
  phrase = '',
) => ({
  $id: row.public_id,
  $createdAt: toInstant(row.created_at),
  userId: row.asked_as ?? '',
  secret: '',
  expire: toInstant(row.expires_at),
  phrase,
})

export const identityModel = (row: Row<'identities'>, accountId: string) => ({
  $id: row.public_id,
  $createdAt: toInstant(row.created_at),
  $updatedAt: toInstant(row.updated_at),
  userId: accountId,
  provider: row.provider,
  providerUid: row.provider_uid,
  providerEmail: row.provider_email,
  providerAccessToken: '',
  providerAccessTokenExpiry: '',
  providerRefreshToken: '',
})

export const logModel = (
  row: Row<'account_events'>,
  account: { publicId: string; email: string | null; name: string },
) => ({
  event: row.event,
  userId: account.publicId,
  userEmail: account.email ?? '',
  userName: account.name,
  userType: 'user',
  mode: 'default',
  ip: row.ip ?? '',
  time: toInstant(row.created_at),
  ...clientOf(row.user_agent),
  ...place,
})
