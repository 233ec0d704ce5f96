import { expect, test } from 'vitest'
import { InvalidConfigError, readConfig } from './config.ts'

const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://juntas.example' }

function problems(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof InvalidConfigError) return error.problems
    throw error
  }
}

test.each([
  [{ NODE_ENV: 'production', PUBLIC_URL: 'http://juntas.example' }, 'PUBLIC_URL'],
  [{ ...production, LIMITS: 'off' }, 'LIMITS'],
  [{ ...production, ...s3('minioadmin') }, 'S3_SECRET_ACCESS_KEY'],
  [{ ...production, OAUTH_GOOGLE_ID: 'juntas', OAUTH_GOOGLE_SECRET: 'changeme' }, 'OAUTH_GOOGLE_SECRET'],
  [{ PUBLIC_URL: 'https://juntas.example' }, 'PUBLIC_URL'],
  [{ ...production, DATABASE_URL: 'postgres://juntas:x@db.example/juntas' }, 'DATABASE_URL'],
  [{ ...production, DATABASE_URL: 'postgres://db.example/juntas?sslmode=prefer' }, 'DATABASE_URL'],
  [{ ...production, DATABASE_URL: 'postgres://db.example/juntas?sslmode=no-verify' }, 'DATABASE_URL'],
  [
    { ...production, DATABASE_URL: 'postgres://db.example/j?sslmode=require&uselibpqcompat=true' },
    'DATABASE_URL',
  ],
  [{ ...production, DATABASE_URL: 'postgres://localhost/juntas?host=db.example' }, 'DATABASE_URL'],
  [{ ...production, DATABASE_URL: 'postgres://localhost.evil.example/juntas' }, 'DATABASE_URL'],
  [{ ...production, DATABASE_URL: 'postgres://notlocalhost/juntas' }, 'DATABASE_URL'],
  [{ ...production, REDIS_URL: 'redis://evil-localhost' }, 'REDIS_URL'],
  [{ ...production, SMS_URL: 'http://127.0.0.1.evil.example/send' }, 'SMS_URL'],
  [{ ...production, DATABASE_DIRECT_URL: 'postgresql://10.0.0.7/juntas' }, 'DATABASE_DIRECT_URL'],
  [{ ...production, REDIS_URL: 'redis://redis.example' }, 'REDIS_URL'],
  [{ ...production, ...s3('a'.repeat(40)), S3_ENDPOINT: 'http://s3.example' }, 'S3_ENDPOINT'],
  [{ ...production, SMTP_URL: 'smtp://mail.example?ignoreTLS=true' }, 'SMTP_URL'],
  [{ ...production, SMTP_URL: 'smtp://mail.example?requireTLS=false' }, 'SMTP_URL'],
  [{ ...production, SMTP_URL: 'smtps://mail.example?tls.rejectUnauthorized=false' }, 'SMTP_URL'],
  [{ ...production, SMTP_URL: 'smtps://mail.example?secure=0' }, 'SMTP_URL'],
  [{ ...production, SMS_URL: 'http://sms.example/send' }, 'SMS_URL'],
  [{ TRUSTED_PROXIES: 'true' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '1' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '::/0' }, 'TRUSTED_PROXIES'],
  [{ ALIAS_PROJECT: 'viejo proyecto' }, 'ALIAS_PROJECT'],
  [{ ALIAS_PROJECT: 'viejo, a=b;c' }, 'ALIAS_PROJECT'],
  [{ ALIAS_PROJECT: 'próximo' }, 'ALIAS_PROJECT'],
  [{ ALIAS_PROJECT: 'a'.repeat(37) }, 'ALIAS_PROJECT'],
  [{ ALIAS_DATABASE: 'base/vieja' }, 'ALIAS_DATABASE'],
  [{ ALIAS_BUCKET: '_fotos' }, 'ALIAS_BUCKET'],
  [{ ALIAS_COLLECTIONS: 'personas=users,__proto__=posts' }, 'ALIAS_COLLECTIONS'],
  [{ HELP_LINES: 'España=016' }, 'HELP_LINES'],
  [{ HELP_LINES: 'ES=javascript' }, 'HELP_LINES'],
  [{ ALLOWED_ORIGINS: '*' }, 'ALLOWED_ORIGINS'],
  [{ ALLOWED_ORIGINS: 'https://*.example' }, 'ALLOWED_ORIGINS'],
  [{ ALLOWED_ORIGINS: 'https://app.example/path' }, 'ALLOWED_ORIGINS'],
] as [Record<string, string>, string][])(
  'S01 X08 the server does not start with the settings %o',
  (env, name) => {
    const problem = problems(env)
    expect(problem).toHaveLength(1)
    expect(problem[0]).toMatch(new RegExp(`^${name}: `))
  },
)

test.each([
  { ...production, ...s3('a'.repeat(40)) },
  { ...production, TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16, loopback, fd00::/8' },
  { ...production, ALLOWED_ORIGINS: 'https://app.example, http://localhost:5173' },
  s3('minioadmin'),
  { ALIAS_PROJECT: 'viejo, 64f0.a-b_C', ALIAS_COLLECTIONS: '64personas=users' },
  { ...production, DATABASE_URL: 'postgres://juntas:x@db.example/juntas?sslmode=verify-full' },
  { ...production, DATABASE_URL: 'postgres://localhost/juntas', REDIS_URL: 'redis://[::1]:6379' },
  { ...production, DATABASE_URL: 'postgres:///juntas?host=/var/run/postgresql' },
  { ...production, REDIS_URL: 'rediss://redis.example', SMTP_URL: 'smtp://mail.example:587' },
  { ...production, SMTP_URL: 'smtp://127.0.0.1:25?ignoreTLS=true', SMS_URL: 'http://localhost:8080/' },
  { ...production, DATABASE_URL: 'postgres://db.localhost/juntas' },
  { ...production, SERVICE_TLS: 'optional', DATABASE_URL: 'postgres://postgres/juntas' },
  { DATABASE_URL: 'postgres://db.example/juntas', REDIS_URL: 'redis://redis.example' },
] as Record<string, string>[])('the settings %o are valid', (env) => {
  expect(problems(env)).toEqual([])
})

test('X08 in production a remote mail server must switch to TLS before any email is sent', () => {
  const smtpUrl = (env: Record<string, string>) => readConfig(env).smtpUrl
  const SMTP_URL = 'smtp://juntas:x@mail.example:587'
  expect(smtpUrl({ ...production, SMTP_URL })).toBe(`${SMTP_URL}?requireTLS=true`)
  expect(smtpUrl({ ...production, SMTP_URL, SERVICE_TLS: 'optional' })).toBe(SMTP_URL)
  expect(smtpUrl({ ...production, SMTP_URL: 'smtp://localhost' })).toBe('smtp://localhost')
  expect(smtpUrl({ SMTP_URL })).toBe(SMTP_URL)
})

test('X01 in production the server fetches nothing from the internet unless the operator allows it', () => {
  expect(readConfig({}).remoteImages).toBe(true)
  expect(readConfig(production).remoteImages).toBe(false)
  expect(readConfig({ ...production, REMOTE_IMAGES: 'on' }).remoteImages).toBe(true)
  expect(readConfig({ REMOTE_IMAGES: 'off' }).remoteImages).toBe(false)
})

function s3(secret: string) {
  return {
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'juntas',
    S3_ACCESS_KEY_ID: 'juntas',
    S3_SECRET_ACCESS_KEY: secret,
  }
}
