/** The files that put Juntas on a machine name settings that exist, and scripts that are there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settings } from '#server/config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const known = Object.keys(settings.shape)
/** Of the programs around us, and what compose.yaml asks its reader for. */
const foreign = new Set([
  'NODE_COMPILE_CACHE',
  'TMPDIR',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'DOMAIN',
])

test.each([
  ['Dockerfile', /\b([A-Z][A-Z0-9_]{2,})=/g],
  ['compose.yaml', /^ {6}([A-Z][A-Z0-9_]+):/gm],
  ['deploy/juntas.service', /(?<=Environment=.*)\b([A-Z][A-Z0-9_]{2,})=/g],
])('%s sets nothing that is no setting', (path, pattern) => {
  const named = [...read(path).matchAll(pattern)].map(([, name]) => name ?? '')
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((name) => !known.includes(name) && !foreign.has(name))).toEqual([])
})

test('what compose.yaml sets makes a production that starts', () => {
  const lines = [...read('compose.yaml').matchAll(/^ {6}([A-Z][A-Z0-9_]+): (.+)$/gm)]
  const filled = lines.map(([, name = '', value = '']) => [
    name,
    value.replace(/\$\{(\w+):[?-][^}]*\}/g, (_, variable) =>
      variable === 'DOMAIN' ? 'juntas.example' : 'word',
    ),
  ])
  const config = readConfig({ ...Object.fromEntries(filled), SMTP_URL: '', NODE_ENV: 'production' })
  expect(config.publicUrl).toBe('https://juntas.example')
  expect(config.trustedProxies).toEqual(['172.31.77.0/24'])
})

test('the image has everything that its server and its commands are made of', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?:--from=build )?(?:\/app\/)?([\w.-]+)/gm)].map(
    ([, path]) => path ?? '',
  )
  for (const path of copied.filter((name) => !['node_modules', 'dist'].includes(name))) {
    expect(existsSync(join(root, path))).toBe(true)
    expect(read('.dockerignore')).toContain(`!${path}`)
  }
})
