import { globSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { testPassword } from '#tests/support/world.ts'
import { createJpeg } from './harness/image-fixtures.ts'
import { initializeDatabaseWithoutFsync, type RunningServer, startServer } from './harness/server-process.ts'
import { runProgram } from './run-tool.ts'

const ana = { name: 'Ana', username: 'ana', email: 'ana@juntas.test', password: testPassword }
let folders: string
let server: RunningServer
beforeAll(async () => {
  folders = createNonDurableFolder('juntas-operating-')
  server = await startServer()
  await signUpAndSignIn(createHttpTransport(server.url), ana)
})
afterAll(async () => {
  await server.stop()
  rmSync(folders, { recursive: true, force: true })
})

/** @param settings the command's only settings, apart from defaults */
const command = (name: string, args: string[], settings: Record<string, string>) =>
  runProgram(process.execPath, [`scripts/${name}.ts`, ...args], {
    env: {
      JUNTAS_ENV_FILE: 'off',
      DATABASE_URL: '',
      REDIS_URL: '',
      S3_ENDPOINT: '',
      SMTP_URL: '',
      LOG_LEVEL: 'error',
      ...settings,
    },
  })

test('T27 a backup of a running instance restores into an empty folder, and a member signs in there', async () => {
  const folder = join(folders, 'backup')
  const taken = await command('backup', [folder], { DATA_DIR: server.dataDir })
  expect(taken).toMatchObject({ status: 0, output: expect.stringContaining('0 pictures') })

  const dataDir = join(folders, 'elsewhere')
  await initializeDatabaseWithoutFsync(dataDir)
  const restored = await command('restore', [folder], { DATA_DIR: dataDir })
  expect(restored).toMatchObject({ status: 0, output: expect.stringContaining('All invariants hold.') })
  const there = await startServer({ dataDir })
  try {
    const { email } = ana
    const path = '/v1/account/sessions/email'
    const answer = await createApiClient(createHttpTransport(there.url), '').request('POST', path, {
      email,
      password: testPassword,
    })
    expect(answer.status).toBe(201)
    expect(await command('restore', [folder], { DATA_DIR: dataDir })).toEqual({
      status: 1,
      output: expect.stringContaining('Another Juntas is running'),
    })
  } finally {
    await there.stop()
  }

  expect(await command('restore', ['--check', folder], {})).toMatchObject({ status: 0 })
  truncateSync(join(folder, 'database/accounts.copy.gz'), 20)
  expect(await command('restore', ['--check', folder], {})).toEqual({
    status: 1,
    output: 'The backup is damaged: database/accounts.copy.gz was changed after it was written.\n',
  })
})

test('OPD-01 the doctor names the version and reports no problem on a healthy instance', async () => {
  const { status, output } = await command('doctor', [], {
    DATA_DIR: server.dataDir,
    PORT: new URL(server.url).port,
  })
  expect(output).toMatch(/✓ This is Juntas \d+\.\d+\.\d+/)
  expect(output).toContain('✓ All invariants hold.')
  expect(output).toContain(`✓ Juntas answers at ${server.url}.`)
  expect([status, output.match(/✗.*/g)]).toEqual([0, null])
})

test('OPS-08 the doctor reports failed emails and emails that have waited for more than 15 minutes', async () => {
  const settings = { DATA_DIR: server.dataDir, PORT: new URL(server.url).port }
  const database = new Client({ connectionString: server.databaseUrl() })
  await database.connect()
  try {
    await database.query(`
      insert into emails (kind, sealed, recipient_hash, created_at, expires_at, next_attempt_at, failed_at)
      values ('recovery', '', sha256('1'), now(), now(), now(), now()),
        ('new-device', '', sha256('2'), now() - interval '1 hour', now() + interval '1 day', now() + interval '1 day', null)`)
    const { status, output } = await command('doctor', [], settings)
    expect(output).toContain('! 1 email failed in the last 14 days: npm run emails lists it.')
    expect(output).toContain(
      '! 1 email has waited for the mail server for 60 minutes: npm run emails lists it.',
    )
    expect([status, output.match(/\b1 (problems|warnings)\b/)]).toEqual([0, null])
  } finally {
    await database.query('delete from emails')
    await database.end()
  }
})

test('OPS-15 the doctor warns when every session has the IP address of a proxy', async () => {
  const proxied = { DATA_DIR: server.dataDir, TRUSTED_PROXIES: '127.0.0.0/8,::1' }
  expect((await command('doctor', [], proxied)).output).toContain('sessions have addresses of proxies')
  const other = { ...proxied, TRUSTED_PROXIES: '10.0.0.0/8' }
  expect((await command('doctor', [], other)).output).not.toContain('addresses of proxies')
})

test('OIDC-14 the doctor counts the members whose connected accounts belong to an issuer that is not configured', async () => {
  const database = new Client({ connectionString: server.databaseUrl() })
  await database.connect()
  await database.query(
    `insert into identities (public_id, account_id, provider, issuer, provider_uid)
     select 'lenas-identity', min(id), 'casa', 'https://casa.test/', 'lena' from accounts`,
  )
  await database.end()
  const settings = { DATA_DIR: server.dataDir, OAUTH_CASA_ID: 'x', OAUTH_CASA_SECRET: 'y' }
  const told = '! Accounts connected to OAUTH_CASA at https://casa.test/: 1. This issuer is not configured'
  const doctor = async (issuer: string) =>
    (await command('doctor', [], { ...settings, OAUTH_CASA_ISSUER: issuer })).output
  expect(await doctor('https://other.test')).toContain(told)
  expect(await doctor('https://casa.test')).not.toContain('Accounts connected')
})

test('the doctor reports missing and truncated files', async () => {
  const eva = { name: 'Eva', username: 'eva', email: 'eva@juntas.test', password: testPassword }
  const person = await signUpAndSignIn(createHttpTransport(server.url), eva)
  const words = { caption: 'Una tarde juntas', location: 'Casa', tags: [] }
  const ids = ['#aa0000', '#00aa00', '#0000aa'].map(async (color) => {
    const imageId = await person.upload(await createJpeg(color))
    await person.call(createPostOperation, { ...words, imageId })
    return imageId
  })
  const [whole, gone, cut] = (await Promise.all(ids)) as [string, string, string]
  const settings = { DATA_DIR: server.dataDir, PORT: new URL(server.url).port }
  expect((await command('doctor', [], settings)).output).toContain(
    '✓ The files of all 3 pictures in use exist.',
  )

  const database = new Client({ connectionString: server.databaseUrl() })
  await database.connect()
  const original = async (id: string) => {
    const { rows } = await database.query('select storage_key as key from files where public_id = $1', [id])
    return globSync(join(server.dataDir, 'files', '**', rows[0].key, 'original'))[0] as string
  }
  rmSync(await original(gone))
  truncateSync(await original(cut), 100)
  await database.end()
  const { status, output } = await command('doctor', [], settings)
  expect(status).toBe(1)
  expect(output).toMatch(/✗ The files of 2 of 3 pictures in use are missing, e\.g\. (\S+), (\S+): restore/)
  expect([output.includes(gone), output.includes(cut), output.includes(whole)]).toEqual([true, true, false])
})

test('the doctor names each service that does not answer', async () => {
  const nowhere = '127.0.0.1:1'
  const { status, output } = await command('doctor', [], {
    DATA_DIR: join(folders, 'unborn'),
    DATABASE_URL: `postgres://nobody@${nowhere}/none`,
    REDIS_URL: `redis://${nowhere}`,
    S3_ENDPOINT: `http://${nowhere}`,
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    SMTP_URL: `smtp://${nowhere}`,
    SMS_URL: `http://${nowhere}/sms`,
    PUBLIC_URL: `http://${nowhere}`,
  })
  expect(status).toBe(1)
  for (const sentence of [
    '✗ The database at DATABASE_URL does not answer: ',
    '! Redis at REDIS_URL does not answer',
    `✗ The bucket pictures at http://${nowhere} cannot be used: `,
    '✗ Juntas cannot send emails through SMTP_URL. The mail server refused the connection.',
    '✗ The gateway at SMS_URL does not answer.',
    `! Nothing answers at http://${nowhere}. While Juntas is running, it must answer there.`,
  ]) {
    expect(output).toContain(sentence)
  }
})

test('OPS-05 the doctor says that it could not compare the key of a stopped instance, and finds a missing or damaged key', async () => {
  const dataDir = join(folders, 'stopped')
  await initializeDatabaseWithoutFsync(dataDir)
  const path = join(dataDir, 'secret.key')
  const key = Buffer.alloc(32, 7).toString('base64')
  const doctor = (settings = {}) => command('doctor', [], { DATA_DIR: dataDir, ...settings })
  expect((await doctor()).output).toContain(`! ${path} is missing, and the database is not running`)
  const uncompared = (name: string) =>
    `! The key in ${name} was not compared with the database, which is not running: start Juntas.`
  expect((await doctor({ SECRET_KEY: key })).output).toContain(uncompared('SECRET_KEY'))
  writeFileSync(path, key)
  expect((await doctor()).output).toContain(uncompared(path))
  writeFileSync(path, 'half a k')
  expect(await doctor()).toEqual({
    status: 1,
    output: expect.stringContaining(`✗ ${path} is no key: a key has 32 bytes as base64.`),
  })
})

test('OPS-05 the doctor calls no key right that it could not compare', async () => {
  const { output } = await command('doctor', [], {
    DATA_DIR: join(folders, 'unborn'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  expect(output).toContain('! The instance’s key was not checked, because the database does not answer')
  expect(output).not.toContain('✓ The instance’s key')
})

test('the doctor names every wrong setting', async () => {
  const { status, output } = await command('doctor', [], { PORT: '70000', LOG_LEVEL: 'loud' })
  expect(status).toBe(1)
  expect(output).toContain('✗ PORT: ')
  expect(output).toContain('✗ LOG_LEVEL: ')
})
