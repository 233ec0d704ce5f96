/** Null strings become empty. */
import type { Selectable } from 'kysely'
import { formatIsoTimestamp } from '../database/iso-timestamp.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { formatOwnPermissionStrings } from './permission-strings.ts'
import { parseUserAgent } from './user-agent.ts'

type Row<T extends keyof DatabaseTables> = Selectable<DatabaseTables[T]>

export const toAppwriteAccount = (row: Row<'accounts'>) => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  $updatedAt: formatIsoTimestamp(row.updated_at),
  name: row.name,
  registration: formatIsoTimestamp(row.created_at),
  status: row.status === 'active',
  labels: row.labels,
  passwordUpdate: row.password_updated_at ? formatIsoTimestamp(row.password_updated_at) : '',
  email: row.email ?? '',
  phone: row.phone ?? '',
  emailVerification: row.email_verified,
  phoneVerification: row.phone_verified,
  mfa: row.mfa,
  prefs: row.prefs,
  targets: [],
  accessedAt: formatIsoTimestamp(row.accessed_at),
})

const describeCountry = (country: string | null) =>
  country === null
    ? { countryCode: '--', countryName: 'Unknown' }
    : {
        countryCode: country.toLowerCase(),
        countryName: new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country,
      }

const factors: Record<string, string[]> = {
  email: ['password'],
  anonymous: ['anonymous'],
  'magic-url': ['email'],
  token: ['email'],
  phone: ['phone'],
  passkey: ['passkey'],
}

export const toAppwriteSession = (
  row: Row<'sessions'>,
  { accountId, current, country }: { accountId: string; current: boolean; country: string | null },
) => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  $updatedAt: formatIsoTimestamp(row.updated_at),
  userId: accountId,
  expire: formatIsoTimestamp(row.pending_until ?? row.expires_at),
  provider: row.provider,
  providerUid: row.provider_uid,
  // Provider tokens are never stored.
  providerAccessToken: '',
  providerAccessTokenExpiry: '',
  providerRefreshToken: '',
  ip: row.ip ?? '',
  ...parseUserAgent(row.user_agent),
  ...describeCountry(country),
  current,
  factors: [...(factors[row.provider] ?? ['oauth']), ...(row.second_factor ? [row.second_factor] : [])],
  secret: '',
  mfaUpdatedAt: row.second_proved_at ? formatIsoTimestamp(row.second_proved_at) : '',
})

export const toAppwriteToken = (
  row: Pick<Row<'tokens'>, 'public_id' | 'created_at' | 'expires_at' | 'asked_as'>,
  phrase = '',
) => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  userId: row.asked_as ?? '',
  secret: '',
  expire: formatIsoTimestamp(row.expires_at),
  phrase,
})

export const toAppwriteIdentity = (row: Row<'identities'>, accountId: string) => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  $updatedAt: formatIsoTimestamp(row.updated_at),
  userId: accountId,
  provider: row.provider,
  providerUid: row.provider_uid,
  providerEmail: row.provider_email,
  providerAccessToken: '',
  providerAccessTokenExpiry: '',
  providerRefreshToken: '',
})

/** These events have no name in Appwrite. */
const accountChanges = /^(username|password|email|mfa)\.|^user\.(close|reopen)$|^session\.refused$/

export const toAppwriteLog = (
  row: Row<'account_events'>,
  account: { publicId: string; email: string | null; name: string },
  country: string | null,
) => ({
  event: accountChanges.test(row.event) ? 'user.update' : row.event,
  userId: account.publicId,
  userEmail: account.email ?? '',
  userName: account.name,
  userType: 'user',
  mode: 'default',
  ip: row.ip ?? '',
  time: formatIsoTimestamp(row.created_at),
  ...parseUserAgent(row.user_agent),
  ...describeCountry(country),
})

export const uploaderPermissions = { can_update: true, can_delete: true }

export const toAppwriteFile = (
  file: Row<'files'> & { chunks_uploaded: number; can_update: boolean; can_delete: boolean },
  bucket: string,
  accountId: string,
) => ({
  $id: file.public_id,
  bucketId: bucket,
  $createdAt: formatIsoTimestamp(file.created_at),
  $updatedAt: formatIsoTimestamp(file.updated_at),
  $permissions: formatOwnPermissionStrings(accountId, { update: file.can_update, delete: file.can_delete }),
  name: file.name,
  signature: file.signature ?? '',
  mimeType: file.mime_type ?? '',
  sizeOriginal: file.size ?? file.announced_size,
  chunksTotal: file.chunks_total,
  chunksUploaded: file.chunks_uploaded,
})
