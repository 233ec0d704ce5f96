import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setUpCommunityOperation } from '#contract/community/community.ts'
import { issueCommunitySetupPath } from '#server/features/community/setup-link.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'
import { runProgram } from './run-tool.ts'
import { demoMembers } from './seed/demo-data.ts'

let w: TestWorld
beforeEach(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
})
afterEach(() => w.end())

const seed = (args: string[] = [], settings: Record<string, string> = {}) =>
  runProgram(process.execPath, ['scripts/seed.ts', ...args], {
    env: {
      DATABASE_URL: w.database.directUrl,
      DATA_DIR: w.dataDir,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      REDIS_URL: '',
      S3_ENDPOINT: '',
      SMTP_URL: '',
      ...settings,
    },
  })

async function startMailServer() {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      received.push(address)
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((closed) => server.close(closed))
  return { received, url: `smtp://127.0.0.1:${port}`, close }
}

async function countMembers(): Promise<number> {
  const { rows } = await w.database.pool.query('select count(*)::int as count from users')
  return rows[0].count
}

test('INV-11 npm run seed refuses to run in production', async () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://juntas.example',
    SERVICE_TLS: 'optional',
  }
  for (const args of [[], ['--yes']]) {
    expect(await seed(args, production)).toMatchObject({
      status: 1,
      output: expect.stringContaining('password of its members is public'),
    })
  }
  expect(await countMembers()).toBe(0)
})

test('INV-12 npm run seed adds nobody to an instance that has other members unless --yes is given', async () => {
  await w.join('Ana')
  expect(await seed()).toMatchObject({
    status: 1,
    output: expect.stringContaining('npm run seed -- --yes'),
  })
  expect(await seed(['--force'])).toMatchObject({ status: 1 })
  expect(await countMembers()).toBe(1)
})

test('INV-11 npm run seed sends no email, although a mail server is configured', async () => {
  const { received, url, close } = await startMailServer()
  try {
    expect(await seed(['--yes'], { SMTP_URL: url })).toMatchObject({ status: 0 })
    const { rows } = await w.database.pool.query('select kind from emails')
    expect([received, rows]).toEqual([[], []])
    expect(await countMembers()).toBe(demoMembers.length)
  } finally {
    await close()
  }
})

test('INV-11 npm run seed works in an invitation-only community with rules', async () => {
  const secret = (await issueCommunitySetupPath(w.database.kysely))?.split('/').at(-1) ?? ''
  await w.visitor.call(setUpCommunityOperation, {
    secret,
    community: { name: 'Knit', registration: 'invite', rules: ['Be kind.'], contact: '' },
    account: { name: 'Olga', username: 'olga', email: 'olga@juntas.test', password: testPassword },
  })
  expect(await seed(['--yes'])).toMatchObject({
    status: 0,
    output: expect.stringMatching(/Sign in as \S+@juntas\.example with the password juntas-juntas/),
  })
  expect(await countMembers()).toBe(demoMembers.length + 1)
  expect(await seed()).toMatchObject({ status: 0, output: expect.stringContaining('exist already') })
  expect(await w.visitor.request('GET', '/v1/community')).toMatchObject({
    body: { registration: 'invite' },
  })
})
