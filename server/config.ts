/**
 * Reads all settings once; no other module reads `process.env`. Invalid values stop the start and list every
 * problem. No setting is required.
 */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
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

/** Each description becomes its line in docs/settings.md. */
export const environmentSettingsSchema = z.object({
  JUNTAS_ENV_FILE: optional(z.string()).describe(
    'File of NAME=value lines that the server and every command read; variables of the environment win. Without it `.env` beside package.json is read where it exists; off reads none.',
  ),
  PORT: withDefault(z.coerce.number().int().min(0).max(65535), 3000).describe(
    'Port of the web and the API. 0 picks a free one.',
  ),
  HOST: withDefault(z.string(), 'localhost').describe(
    'Address to listen on. localhost means both loopback families.',
  ),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/ })).describe(
    'The address members type. https in production and only there; default http://localhost:PORT. Without it, pages opened under HOST or under the address of this machine count as same-origin too, never under another name.',
  ),
  DATA_DIR: withDefault(z.string(), './data').describe(
    'Folder of all local state: the embedded database, uploads, caches.',
  ),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })).describe(
    'An external PostgreSQL 15 or newer. Without it a private one runs in DATA_DIR.',
  ),
  DATABASE_DIRECT_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })).describe(
    'The same database without a pooler between, for migrations and LISTEN.',
  ),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/ })).describe(
    'Notifies other nodes and counts rate limits of all nodes together. Without it PostgreSQL notifies, and each node counts for itself.',
  ),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/ })).describe(
    'Object storage for uploads. Without it they live in DATA_DIR.',
  ),
  S3_BUCKET: optional(z.string()).describe('Bucket of the uploads: private, and created beforehand.'),
  S3_REGION: withDefault(z.string(), 'us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: optional(z.string()).describe('Key of the bucket.'),
  S3_SECRET_ACCESS_KEY: optional(z.string()).describe('Secret of that key.'),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })).describe(
    'Mail server. Without it, outside production, mail goes to the outbox at /dev/outbox.',
  ),
  MAIL_FROM: withDefault(z.string(), 'Juntas <hola@localhost>').describe('Sender of e-mails.'),
  CONTACT: optional(z.string().max(200)).describe(
    'Where members reach the operator, as an e-mail address or in words: shown where no mail server is configured.',
  ),
  REGISTRATION: optional(z.enum(['open', 'invite', 'closed'])).describe(
    'Who may become a member: open to everyone, invite for whom a member invites, closed to all who are not here yet. Without it an operator chooses on the screen; at first it is open.',
  ),
  PUSH_HOSTS: list.describe(
    'Comma-separated hosts of push services besides those of Chrome, Firefox, Edge and Safari, or off: browsers are not rung.',
  ),
  GEO_FILE: optional(z.string()).describe(
    'Path of your own file of countries by network address, in the MMDB format, in place of the one that comes with Juntas, or off: no country is shown beside a sign-in. Nobody is asked over the network.',
  ),
  LANGUAGE: optional(z.enum(['auto'])).describe(
    'auto shows the web in Spanish or English by what a browser asks for, to whoever has chosen nothing. Without it that changes nothing: who signs in reads Spanish, and members English.',
  ),
  QUICK_EXIT_URL: withDefault(z.url({ protocol: /^https?$/ }), 'https://www.wikipedia.org/').describe(
    'The neutral page that the web opens in its place for a member who leaves in a hurry.',
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
    'Help lines that a member reads of after a report, as comma-separated COUNTRY=number pairs, or off. Of those that answer day and night and are on no bill.',
  ),
  SMS_URL: optional(z.url({ protocol: /^https?$/ })).describe(
    'HTTP gateway for text messages: receives POST {to, text}.',
  ),
  ALLOWED_ORIGINS: list.describe(
    'Comma-separated origins of foreign web clients. Outside production every localhost origin is allowed too.',
  ),
  TRUSTED_PROXIES: list.describe(
    'Comma-separated addresses or ranges of proxies whose forwarding headers are believed.',
  ),
  ALIAS_PROJECT: list.describe('Other ids that existing clients use for the project.'),
  ALIAS_DATABASE: list.describe('Other ids that existing clients use for the database.'),
  ALIAS_BUCKET: list.describe('Other ids that existing clients use for the bucket.'),
  ALIAS_COLLECTIONS: list.describe('Other ids of collections, as alias=collection pairs.'),
  SERVICE_TLS: withDefault(z.enum(['required', 'optional']), 'required').describe(
    'optional says that the network to the services is private: in production the addresses of database, Redis, bucket, mail server and SMS gateway must otherwise be TLS, unless they are on this machine.',
  ),
  REMOTE_IMAGES: optional(z.enum(['on', 'off'])).describe(
    'Whether /avatars/image and /avatars/favicon may fetch from the internet. Default on, in production off.',
  ),
  SECRET_KEY: optional(
    z.string().refine((key) => Buffer.from(key, 'base64').length === 32, '32 bytes as base64'),
  ).describe(
    'Key that members’ authenticator secrets are sealed with: 32 bytes as base64, the same for every node; `openssl rand -base64 32` makes one. Needed with DATABASE_URL, unless DATA_DIR/secret.key holds it. Without DATABASE_URL the server makes that file when it first needs it. No backup holds the key: keep it apart.',
  ),
  LIMITS: withDefault(z.enum(['on', 'off']), 'on').describe(
    'Rate limits. off is for load tests and refused in production.',
  ),
  DRAIN_SECONDS: withDefault(z.coerce.number().min(0).max(60), 0).describe(
    'Seconds that a stopping server still takes requests after /health/ready began to answer 503: until its balancer has noticed.',
  ),
  METRICS_TOKEN: optional(z.string().min(16)).describe(
    'Bearer token that opens /metrics to other machines; this one may always read it.',
  ),
  DELETION_GRACE_DAYS: withDefault(z.coerce.number().int().min(0).max(60), 14).describe(
    'Days for which a member who deletes the account can still keep it. 0 erases within minutes.',
  ),
  BACKUP_KEEP_DAYS: withDefault(z.coerce.number().int().min(0).max(3650), 30).describe(
    'Days for which you keep a backup: the receipt of a deleted account says from when no backup has it either.',
  ),
  LOG_LEVEL: withDefault(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
  ).describe('How much is logged.'),
  NODE_ENV: withDefault(z.enum(['production', 'development', 'test']), 'development').describe(
    'production demands an https PUBLIC_URL and TLS to the services, and turns the development outbox off.',
  ),
})

/** An OpenID Connect provider from OAUTH_<NAME>_ID, _SECRET and, for unknown names, _ISSUER. */
export type OAuthProvider = { name: string; id: string; secret: string; issuer: string }

const issuers: Record<string, string> = {
  google: 'https://accounts.google.com',
  gitlab: 'https://gitlab.com',
  linkedin: 'https://www.linkedin.com/oauth',
  slack: 'https://slack.com',
  twitch: 'https://id.twitch.tv/oauth2',
  yahoo: 'https://api.login.yahoo.com',
}

export type Config = {
  port: number
  host: string
  /** The origin without trailing slash: `https://juntas.example`. Null until the port is known (PORT=0). */
  publicUrl: string | null
  /** PUBLIC_URL is set; otherwise the Host header gives the address, outside production. */
  hasPublicUrl: boolean
  dataDir: string
  databaseUrl?: string
  databaseDirectUrl?: string
  redisUrl?: string
  s3?: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
  smtpUrl?: string
  mailFrom: string
  contact?: string
  /** Undefined: as chosen on the screen. */
  registration?: 'open' | 'invite' | 'closed'
  /** Besides known browsers' push hosts; null disables pushes. */
  pushHosts: string[] | null
  /** The operator's country file, or `off`. */
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
  backupKeepDays: number
  /** 32 bytes as base64. */
  secretKey?: string
  logLevel: string
  production: boolean
}

/** One sentence per problem. */
export class InvalidConfigError extends Error {
  readonly problems: string[]
  /** @param file the settings file, if read */
  constructor(problems: string[], file?: string) {
    super(
      `These settings are wrong${file ? ` (${file} and the environment)` : ''}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

/** @throws InvalidConfigError with every problem at once */
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
    problems.push('PUBLIC_URL: production needs an https address')
  }
  if (!production && given.PUBLIC_URL?.startsWith('https://')) {
    problems.push(
      'PUBLIC_URL: an https address needs NODE_ENV=production; without it this machine may read the codes that open accounts',
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
    backupKeepDays: given.BACKUP_KEEP_DAYS,
    logLevel: given.LOG_LEVEL,
    production,
  }
}

/** UTF-16 units; shorter secrets were probably typed or copied from an example. */
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

/** Finds services with unencrypted or unauthenticated connections. */
const plaintextServices = (given: Partial<Record<(typeof services)[number], string>>): string[] =>
  services.flatMap((name) => {
    const lacks = given[name] && describeMissingTls(given[name])
    return lacks ? [`${name}: production ${lacks} (SERVICE_TLS=optional allows a private network)`] : []
  })

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/**
 * Finds invalid list entries, including wildcards and all-encompassing ranges, which would admit everyone.
 */
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
    ...proxies.map((proxy) => `TRUSTED_PROXIES: "${proxy}" is neither an address nor a range of some`),
  ]
}

/** Finds invalid ids; the session cookie's name contains the project's. */
const aliasProblems = (name: string, ids: string[]): string[] =>
  ids
    .filter((id) => !isValidPublicId(id))
    .map(
      (id) =>
        `${name}: "${id}" is no id: at most 36 letters, digits, dots, hyphens and underscores, a letter or digit first`,
    )

function readProviders(env: Record<string, string | undefined>, problems: string[]): OAuthProvider[] {
  const names = Object.keys(env).flatMap((key) => /^OAUTH_([A-Z0-9]+)_ID$/.exec(key)?.[1] ?? [])
  return names.flatMap((name) => {
    const id = env[`OAUTH_${name}_ID`]
    const secret = env[`OAUTH_${name}_SECRET`]
    if (!id) return []
    if (!secret) {
      problems.push(`OAUTH_${name}_SECRET: is missing beside OAUTH_${name}_ID`)
      return []
    }
    const issuer = env[`OAUTH_${name}_ISSUER`] || issuers[name.toLowerCase()]
    if (!issuer || !URL.canParse(issuer)) {
      problems.push(`OAUTH_${name}_ISSUER: must be the address of an OpenID Connect issuer`)
      return []
    }
    return [{ name: name.toLowerCase(), id, secret, issuer }]
  })
}
