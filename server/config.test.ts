import { expect, test } from 'vitest'
import { BadSettings, readConfig } from './config.ts'

const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://juntas.example' }

function problems(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof BadSettings) return error.problems
    throw error
  }
}

test.each([
  [{ NODE_ENV: 'production', PUBLIC_URL: 'http://juntas.example' }, 'PUBLIC_URL'],
  [{ ...production, LIMITS: 'off' }, 'LIMITS'],
  [{ ...production, ...s3('minioadmin') }, 'S3_SECRET_ACCESS_KEY'],
  [{ ...production, OAUTH_GOOGLE_ID: 'juntas', OAUTH_GOOGLE_SECRET: 'changeme' }, 'OAUTH_GOOGLE_SECRET'],
  [{ TRUSTED_PROXIES: 'true' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '1' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '::/0' }, 'TRUSTED_PROXIES'],
  [{ ALLOWED_ORIGINS: '*' }, 'ALLOWED_ORIGINS'],
  [{ ALLOWED_ORIGINS: 'https://*.example' }, 'ALLOWED_ORIGINS'],
  [{ ALLOWED_ORIGINS: 'https://app.example/path' }, 'ALLOWED_ORIGINS'],
] as [Record<string, string>, string][])('S01 X08 the settings %o stop the start', (env, name) => {
  const told = problems(env)
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(new RegExp(`^${name}: `))
})

test.each([
  { ...production, ...s3('a'.repeat(40)) },
  { ...production, TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16, loopback, fd00::/8' },
  { ...production, ALLOWED_ORIGINS: 'https://app.example, http://localhost:5173' },
  s3('minioadmin'),
])('the settings %o do not', (env) => {
  expect(problems(env)).toEqual([])
})

function s3(secret: string) {
  return {
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'juntas',
    S3_ACCESS_KEY_ID: 'juntas',
    S3_SECRET_ACCESS_KEY: secret,
  }
}
