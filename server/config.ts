/**
 * No other module reads `process.env`. If values are invalid, the server lists all of them and does not
 * start.
 */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Cron } from 'croner'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { isValidPublicId } from './ids.ts'
import { describeMissingTls, smtpUrlRequiringStartTls } from './require-service-tls.ts'

const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema.optional())
const withDefault = <T extends z.ZodType>(schema: T, value: z.input<T>) =>
  z.preprocess((given) => blankIsAbsent(given) ?? value, schema)
const list = withDefault(
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
  '',
)

function readCronPattern(text: string): string | null {
  const daily = /^daily ([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim())
  const pattern = daily ? `${Number(daily[2])} ${Number(daily[1])} * * *` : text.trim()
  try {
    return new Cron(pattern, { paused: true, mode: '5-part' }).nextRun() ? pattern : null
  } catch {
    return null
  }
}

/** Each setting's description becomes its line in docs/settings.md. */
export const environmentSettingsSchema = z.object({
  JUNTAS_ENV_FILE: optional(z.string()).describe(
    'Path of a settings file with NAME=value lines, read by the server and by every command. Environment variables win. Without it, `.env` beside package.json is read if it exists. off reads no file.',
  ),
  PORT: withDefault(z.coerce.number().int().min(0).max(65535), 3000).describe(
    'Port of the web app and the API. 0 picks a free port.',
  ),
  HOST: withDefault(z.string(), 'localhost').describe(
    'Address to listen on. localhost listens on IPv4 and IPv6.',
  ),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/ })).describe(
    'The address that members type. It must be https in production, and only there. Default http://localhost:PORT. Without it, pages opened under HOST or this machine’s address also count as same-origin; pages under any other name never do.',
  ),
  DATA_DIR: withDefault(z.string(), './data').describe(
    'Folder for all local state: the embedded database, uploads and caches.',
  ),
  POSTGRES_BIN: optional(z.string()).describe(
    'Folder of the PostgreSQL programs (initdb, postgres) for the database in DATA_DIR, version 17 or newer; packaged uses those that come with Juntas. Without it, a PostgreSQL of the system is used if it fits, otherwise the packaged one. Ignored with DATABASE_URL.',
  ),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })).describe(
    'An external PostgreSQL, version 15 or newer. Without it, an embedded PostgreSQL runs in DATA_DIR.',
  ),
  DATABASE_DIRECT_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })).describe(
    'The same database without a connection pooler, for migrations and LISTEN. Needed only if DATABASE_URL goes through a pooler.',
  ),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/ })).describe(
    'Redis shares notifications and rate limits between nodes. Without it, PostgreSQL passes notifications on and each node counts its own rate limits.',
  ),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/ })).describe(
    'Address of an S3-compatible store for uploads. Without it, uploads are kept in DATA_DIR.',
  ),
  S3_BUCKET: optional(z.string()).describe('Bucket for uploads. Create it yourself, as a private bucket.'),
  S3_REGION: withDefault(z.string(), 'us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: optional(z.string()).describe('Access key id for the bucket.'),
  S3_SECRET_ACCESS_KEY: optional(z.string()).describe('Secret access key for the bucket.'),
  FILES_STORE: optional(z.enum(['disk', 's3'])).describe(
    'Where new files go: disk or s3. Without it, s3 if S3_* are set, else disk. With S3_* set, files are read from both places, so that `npm run files -- move` can move them while members work.',
  ),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })).describe(
    'SMTP server. Without it, outside production, emails are shown at /dev/outbox.',
  ),
  MAIL_FROM: withDefault(z.string(), 'Juntas <hola@localhost>').describe('Sender of emails.'),
  CONTACT: optional(z.string().max(200)).describe(
    'How members reach the operator: an email address or a sentence. Shown if no SMTP server is configured.',
  ),
  REGISTRATION: optional(z.enum(['open', 'invite', 'approval', 'closed'])).describe(
    'Who may sign up: open (everyone), invite (only with an invitation), approval (with an invitation, or if an operator approves) or closed (nobody). Without it, an operator chooses in the app; a new instance is open.',
  ),
  PUSH_HOSTS: list.describe(
    'Comma-separated hosts of push services besides those of Chrome, Firefox, Edge and Safari. off sends no push notifications.',
  ),
  GEO_FILE: optional(z.string()).describe(
    'Path of an MMDB file that maps network addresses to countries, used in place of the bundled one. off shows no country beside a sign-in. The lookup needs no network.',
  ),
  LANGUAGE: optional(z.enum(['auto'])).describe(
    'auto uses the language that the browser prefers, Spanish, English or Portuguese, for people who have not chosen one. Without it, they see the sign-in screens in Spanish and the rest in English.',
  ),
  QUICK_EXIT_URL: withDefault(z.url({ protocol: /^https?$/ }), 'https://www.wikipedia.org/').describe(
    'The neutral page that opens on a quick exit.',
  ),
  HELP_LINES: withDefault(
    z
      .string()
      .transform((text) => (text === 'off' ? [] : text.split(',').map((pair) => pair.trim())))
      .refine(
        (pairs) => pairs.every((pair) => /^[A-Z]{2}=\+?\d[\d ]{1,18}$/.test(pair)),
        'must be COUNTRY=number pairs, or off',
      ),
    'ES=016',
  ).describe(
    'Help lines shown after a report, as comma-separated COUNTRY=number pairs, or off. Choose lines that answer at any hour and do not appear on a phone bill.',
  ),
  SMS_URL: optional(z.url({ protocol: /^https?$/ })).describe(
    'HTTP gateway for text messages. The server sends it POST {to, text}.',
  ),
  ALLOWED_ORIGINS: list.describe(
    'Comma-separated origins of other web clients. Outside production every localhost origin is allowed too.',
  ),
  TRUSTED_PROXIES: list.describe(
    'Comma-separated addresses or ranges of proxies whose forwarding headers the server trusts.',
  ),
  ALIAS_PROJECT: list.describe('Comma-separated ids that existing clients use for the project.'),
  ALIAS_DATABASE: list.describe('Comma-separated ids that existing clients use for the database.'),
  ALIAS_BUCKET: list.describe('Comma-separated ids that existing clients use for the bucket.'),
  ALIAS_COLLECTIONS: list.describe(
    'Ids that existing clients use for collections, as comma-separated alias=collection pairs.',
  ),
  SERVICE_TLS: withDefault(z.enum(['required', 'optional']), 'required').describe(
    'required makes TLS mandatory in production for the database, Redis, bucket, SMTP server and SMS gateway, unless they run on this machine. optional allows unencrypted connections, for a private network.',
  ),
  REMOTE_IMAGES: optional(z.enum(['on', 'off'])).describe(
    'Whether /avatars/image and /avatars/favicon may fetch from the internet. Default off in production, otherwise on.',
  ),
  SECRET_KEY: optional(
    z.string().refine((key) => Buffer.from(key, 'base64').length === 32, '32 bytes as base64'),
  ).describe(
    'Key that encrypts authenticator secrets: 32 bytes as base64, the same on every node. `openssl rand -base64 32` creates one. Required with DATABASE_URL, unless DATA_DIR/secret.key holds the key. Without DATABASE_URL the server creates that file when needed. Backups do not contain the key: store it separately.',
  ),
  LIMITS: withDefault(z.enum(['on', 'off']), 'on').describe(
    'Rate limits. off is for load tests; production refuses it.',
  ),
  DRAIN_SECONDS: withDefault(z.coerce.number().min(0).max(60), 0).describe(
    'Seconds for which a stopping server accepts requests after /health/ready turns 503, so that the load balancer can notice.',
  ),
  METRICS_TOKEN: optional(z.string().min(16)).describe(
    'Bearer token with which other machines may read /metrics. This machine needs no token.',
  ),
  DELETION_GRACE_DAYS: withDefault(z.coerce.number().int().min(0).max(60), 14).describe(
    'Days in which a member can cancel the deletion of her account. 0 erases it within minutes.',
  ),
  BACKUP_SCHEDULE: optional(
    z.string().transform((text, context) => {
      const pattern = readCronPattern(text)
      if (pattern) return pattern
      context.addIssue({
        code: 'custom',
        message: 'is neither daily HH:MM nor a cron pattern of five fields',
      })
      return z.NEVER
    }),
  ).describe(
    'When the server makes a backup, by its clock: daily 03:00, or a cron pattern of five fields. Without it, the server makes none.',
  ),
  BACKUP_FOLDER: optional(z.string()).describe(
    'Folder for scheduled backups. Put it on another disk than DATA_DIR. Several nodes share one folder.',
  ),
  BACKUP_RECIPIENT: list.describe(
    'Comma-separated public keys of age (age1…) that backups are encrypted for. Without it, backups are not encrypted.',
  ),
  BACKUP_KEEP: withDefault(z.coerce.number().int().min(1).max(1000), 7).describe(
    'How many scheduled backups are kept. The oldest is deleted once a new one is verified.',
  ),
  BACKUP_KEEP_DAYS: withDefault(z.coerce.number().int().min(0).max(3650), 30).describe(
    'Days for which backups are kept: scheduled ones are then deleted automatically; delete others yourself. The receipt of a deleted account says when the last backup with it is deleted.',
  ),
  LOG_LEVEL: withDefault(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
  ).describe('How much is logged.'),
  NODE_ENV: withDefault(z.enum(['production', 'development', 'test']), 'development').describe(
    'production requires an https PUBLIC_URL and TLS to the services, and turns /dev/outbox off.',
  ),
})

/** OAUTH_<NAME>_ID and _SECRET, _ISSUER for unknown names, and optionally _LABEL. */
export type OAuthProvider = {
  name: string
  id: string
  secret: string
  issuer: string
  label: string
}

const issuers: Record<string, string> = {
  google: 'https://accounts.google.com',
  gitlab: 'https://gitlab.com',
  linkedin: 'https://www.linkedin.com/oauth',
  slack: 'https://slack.com',
  twitch: 'https://id.twitch.tv/oauth2',
  yahoo: 'https://api.login.yahoo.com',
}

const labels: Record<string, string> = { gitlab: 'GitLab', linkedin: 'LinkedIn', oidc: 'OpenID Connect' }

/** Fits on one line of a button on a phone. */
const maxLabelLength = 32

export type Config = {
  port: number
  host: string
  /** An origin such as `https://juntas.example`. Null until the port is known (PORT=0). */
  publicUrl: string | null
  /** Whether a public URL is configured. If not, the server uses the Host header (never in production). */
  hasPublicUrl: boolean
  dataDir: string
  /** The folder of PostgreSQL's programs, or `packaged`. */
  postgresBin?: string
  databaseUrl?: string
  databaseDirectUrl?: string
  redisUrl?: string
  s3?: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
  filesStore: 'disk' | 's3'
  smtpUrl?: string
  mailFrom: string
  contact?: string
  /** Overrides the settings screen. */
  registration?: 'open' | 'invite' | 'approval' | 'closed'
  /** Push hosts besides those of known browsers. Null disables push. */
  pushHosts: string[] | null
  /** The operator's country database file, or `off`. */
  geoFile: string | null
  language?: 'auto'
  quickExitUrl: string
  helpLines: { country: string; number: string }[]
  smsUrl?: string
  oauth: OAuthProvider[]
  allowedOrigins: string[]
  trustedProxies: string[]
  aliases: { project: string[]; database: string[]; bucket: string[]; collections: Record<string, string> }
  remoteImages: boolean
  limits: boolean
  drainSeconds: number
  metricsToken?: string
  deletionGraceDays: number
  backupSchedule?: string
  backupFolder?: string
  backupRecipients: string[]
  backupKeep: number
  backupKeepDays: number
  /** 32 bytes as base64. */
  secretKey?: string
  logLevel: string
  production: boolean
}

/** Each problem is one sentence. */
export class InvalidConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[], file?: string) {
    super(
      `These settings are wrong${file ? ` (${file} and the environment)` : ''}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = environmentSettingsSchema.safeParse(env)
  if (!parsed.success) {
    throw new InvalidConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    )
  }
  const given = parsed.data
  const production = given.NODE_ENV === 'production'
  const problems: string[] = []

  if (production && !given.PUBLIC_URL?.startsWith('https://')) {
    problems.push('PUBLIC_URL: production requires an https address')
  }
  if (!production && given.PUBLIC_URL?.startsWith('https://')) {
    problems.push(
      'PUBLIC_URL: an https address requires NODE_ENV=production; otherwise anyone on this machine can read sign-in codes',
    )
  }
  const tlsRequired = production && given.SERVICE_TLS === 'required'
  if (tlsRequired) problems.push(...plaintextServices(given))
  if (production && given.LIMITS === 'off') problems.push('LIMITS: off is refused in production')

  const s3Given = [given.S3_ENDPOINT, given.S3_BUCKET, given.S3_ACCESS_KEY_ID, given.S3_SECRET_ACCESS_KEY]
  const s3Wanted = s3Given.some(Boolean)
  if (s3Wanted && !s3Given.every(Boolean)) {
    problems.push('S3_*: endpoint, bucket, key id and secret belong together')
  }
  if (given.FILES_STORE === 's3' && !s3Wanted) problems.push('FILES_STORE: s3 needs the settings S3_*')

  if (given.BACKUP_SCHEDULE && !given.BACKUP_FOLDER)
    problems.push('BACKUP_FOLDER: a schedule needs a folder for its backups')
  if (given.BACKUP_SCHEDULE && given.BACKUP_KEEP_DAYS === 0)
    problems.push('BACKUP_KEEP_DAYS: a schedule needs at least 1')
  for (const recipient of given.BACKUP_RECIPIENT) {
    if (!/^age1[a-z0-9]{20,}$/.test(recipient))
      problems.push(`BACKUP_RECIPIENT: "${recipient}" is not a public key of age`)
  }
  problems.push(...listProblems(given))
  problems.push(
    ...given.PUSH_HOSTS.filter((host) => URL.parse(`https://${host}`)?.host !== host).map(
      (host) => `PUSH_HOSTS: "${host}" is not the name of a host`,
    ),
  )
  for (const name of ['ALIAS_PROJECT', 'ALIAS_DATABASE', 'ALIAS_BUCKET'] as const)
    problems.push(...aliasProblems(name, given[name]))

  const oauth = readProviders(env, problems)
  const secrets = { S3_SECRET_ACCESS_KEY: given.S3_SECRET_ACCESS_KEY, ...secretsOf(oauth) }
  for (const [name, secret] of Object.entries(secrets)) {
    if (production && secret !== undefined && secret.length < minSecretLength) {
      problems.push(`${name}: production needs a secret of at least ${minSecretLength} characters`)
    }
  }
  const collections: Record<string, string> = {}
  for (const pair of given.ALIAS_COLLECTIONS) {
    const [alias, collection] = pair.split('=')
    if (alias && collection) {
      collections[alias] = collection
      problems.push(...aliasProblems('ALIAS_COLLECTIONS', [alias]))
    } else problems.push(`ALIAS_COLLECTIONS: "${pair}" is not an alias=collection pair`)
  }
  if (problems.length) throw new InvalidConfigError(problems)

  return {
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL
      ? new URL(given.PUBLIC_URL).origin
      : given.PORT
        ? `http://localhost:${given.PORT}`
        : null,
    hasPublicUrl: given.PUBLIC_URL !== undefined,
    dataDir: resolve(given.DATA_DIR),
    postgresBin: given.POSTGRES_BIN,
    databaseUrl: given.DATABASE_URL,
    databaseDirectUrl: given.DATABASE_DIRECT_URL,
    redisUrl: given.REDIS_URL,
    s3: s3Wanted
      ? {
          endpoint: given.S3_ENDPOINT as string,
          bucket: given.S3_BUCKET as string,
          region: given.S3_REGION,
          accessKeyId: given.S3_ACCESS_KEY_ID as string,
          secretAccessKey: given.S3_SECRET_ACCESS_KEY as string,
        }
      : undefined,
    filesStore: given.FILES_STORE ?? (s3Wanted ? 's3' : 'disk'),
    smtpUrl: given.SMTP_URL && tlsRequired ? smtpUrlRequiringStartTls(given.SMTP_URL) : given.SMTP_URL,
    mailFrom: given.MAIL_FROM,
    contact: given.CONTACT,
    registration: given.REGISTRATION,
    pushHosts: given.PUSH_HOSTS.includes('off') ? null : given.PUSH_HOSTS,
    language: given.LANGUAGE,
    geoFile: given.GEO_FILE ?? null,
    quickExitUrl: given.QUICK_EXIT_URL,
    helpLines: given.HELP_LINES.map((pair) => ({ country: pair.slice(0, 2), number: pair.slice(3) })),
    smsUrl: given.SMS_URL,
    oauth,
    allowedOrigins: given.ALLOWED_ORIGINS,
    trustedProxies: given.TRUSTED_PROXIES,
    aliases: {
      project: given.ALIAS_PROJECT,
      database: given.ALIAS_DATABASE,
      bucket: given.ALIAS_BUCKET,
      collections,
    },
    secretKey: given.SECRET_KEY,
    remoteImages: (given.REMOTE_IMAGES ?? (production ? 'off' : 'on')) === 'on',
    limits: given.LIMITS === 'on',
    drainSeconds: given.DRAIN_SECONDS,
    metricsToken: given.METRICS_TOKEN,
    deletionGraceDays: given.DELETION_GRACE_DAYS,
    backupSchedule: given.BACKUP_SCHEDULE,
    backupFolder: given.BACKUP_FOLDER && resolve(given.BACKUP_FOLDER),
    backupRecipients: given.BACKUP_RECIPIENT,
    backupKeep: given.BACKUP_KEEP,
    backupKeepDays: given.BACKUP_KEEP_DAYS,
    logLevel: given.LOG_LEVEL,
    production,
  }
}

/** A shorter secret was probably typed by hand or copied from an example. */
const minSecretLength = 16

const secretsOf = (providers: OAuthProvider[]) =>
  Object.fromEntries(providers.map(({ name, secret }) => [`OAUTH_${name.toUpperCase()}_SECRET`, secret]))

const services = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'S3_ENDPOINT',
  'SMTP_URL',
  'SMS_URL',
] as const

const plaintextServices = (given: Partial<Record<(typeof services)[number], string>>): string[] =>
  services.flatMap((name) => {
    const lacks = given[name] && describeMissingTls(given[name])
    return lacks ? [`${name}: production ${lacks} (SERVICE_TLS=optional allows a private network)`] : []
  })

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Wildcards and all-encompassing ranges would admit everyone. */
function listProblems(given: { ALLOWED_ORIGINS: string[]; TRUSTED_PROXIES: string[] }): string[] {
  const origins = given.ALLOWED_ORIGINS.filter(
    (origin) => origin.includes('*') || URL.parse(origin)?.origin !== origin,
  )
  const proxies = given.TRUSTED_PROXIES.filter(
    (proxy) =>
      !namedRanges.includes(proxy) &&
      !isIP(proxy) &&
      !(ipaddr.isValidCIDR(proxy) && ipaddr.parseCIDR(proxy)[1] > 0),
  )
  return [
    ...origins.map((origin) => `ALLOWED_ORIGINS: "${origin}" is not an origin, like https://app.example`),
    ...proxies.map((proxy) => `TRUSTED_PROXIES: "${proxy}" is neither an address nor a range`),
  ]
}

/** Checks the format of ids. The session cookie's name contains the project's id. */
const aliasProblems = (name: string, ids: string[]): string[] =>
  ids
    .filter((id) => !isValidPublicId(id))
    .map(
      (id) =>
        `${name}: "${id}" is not an id: at most 36 letters, digits, dots, hyphens and underscores, a letter or digit first`,
    )

const capitalize = (name: string) => `${name.charAt(0)}${name.slice(1).toLowerCase()}`

function readProviders(env: Record<string, string | undefined>, problems: string[]): OAuthProvider[] {
  const names = Object.keys(env).flatMap((key) => /^OAUTH_([A-Z0-9]+)_ID$/.exec(key)?.[1] ?? [])
  return names.flatMap((name) => {
    const id = env[`OAUTH_${name}_ID`]
    const secret = env[`OAUTH_${name}_SECRET`]
    if (!id) return []
    if (!secret) {
      problems.push(`OAUTH_${name}_SECRET: is required with OAUTH_${name}_ID`)
      return []
    }
    const issuer = env[`OAUTH_${name}_ISSUER`] || issuers[name.toLowerCase()]
    if (!issuer || !URL.canParse(issuer)) {
      problems.push(`OAUTH_${name}_ISSUER: must be the address of an OpenID Connect issuer`)
      return []
    }
    const label = env[`OAUTH_${name}_LABEL`]?.trim() || labels[name.toLowerCase()] || capitalize(name)
    if (label.length > maxLabelLength) {
      problems.push(`OAUTH_${name}_LABEL: at most ${maxLabelLength} characters`)
      return []
    }
    return [{ name: name.toLowerCase(), id, secret, issuer: new URL(issuer).href, label }]
  })
}
