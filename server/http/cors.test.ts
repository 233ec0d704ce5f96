import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { classifyOrigin } from './cors.ts'

const judge = (host: string, env: Record<string, string>, localAddress?: string) =>
  classifyOrigin(`http://${host}`, { headers: { host }, socket: { localAddress } }, readConfig(env))

const anywhere = { HOST: '0.0.0.0' }
const atHome = '192.168.1.5'

describe('S06 X08 an origin equal to the Host header', () => {
  test.each([
    ['localhost:3000', {}],
    ['localhost:4000', { PUBLIC_URL: 'http://localhost:3000' }],
    ['ana.localhost:3000', {}],
    ['127.0.0.1:3000', {}],
    ['127.0.0.2', anywhere],
    ['[::1]:3000', {}],
    ['juntas.lan:3000', { HOST: 'juntas.lan' }],
    [`${atHome}:3000`, anywhere, atHome],
    [`${atHome}:3000`, { HOST: '::' }, `::ffff:${atHome}`],
    ['[fd00::5]:3000', { HOST: '::' }, 'fd00::5'],
  ] as [string, Record<string, string>, string?][])('an origin at %s is our own', (host, env, reached) => {
    expect(judge(host, env, reached)).toBe('ours')
  })

  test.each([
    ['evil.test', {}],
    ['evil.test', anywhere, atHome],
    ['localhost.evil.test', anywhere, atHome],
    ['127.0.0.1.evil.test', anywhere, atHome],
    ['203.0.113.7', anywhere, atHome],
    ['0.0.0.0.evil.test', anywhere, '0.0.0.0'],
    [`${atHome}:3000`, { ...anywhere, PUBLIC_URL: 'http://juntas.lan:3000' }, atHome],
    ['localhost:3000', { NODE_ENV: 'production', PUBLIC_URL: 'https://juntas.example' }],
  ] as [string, Record<string, string>, string?][])('an origin at %s is foreign', (host, env, reached) => {
    expect(judge(host, env, reached)).toBe('unknown')
  })
})
