/** Checks which instance commands use, and how they treat unknown arguments. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { signUpAndSignIn } from '#api-client/member-client.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { findEmbeddedPostgresUrl } from '#server/database/embedded-postgres.ts'
import { testPassword } from '#tests/support/world.ts'
import { type RunningServer, startServer } from './harness/server-process.ts'
import { runProgram } from './run-tool.ts'

let folders: string
let server: RunningServer
beforeAll(async () => {
  folders = createNonDurableFolder('juntas-commands-')
  server = await startServer()
})
afterAll(async () => {
  await server.stop()
  rmSync(folders, { recursive: true, force: true })
})

const services = { DATABASE_URL: '', DATABASE_DIRECT_URL: '', REDIS_URL: '', S3_ENDPOINT: '', SMTP_URL: '' }

const command = (script: string, args: string[], env: Record<string, string>) =>
  runProgram(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { ...services, LOG_LEVEL: 'error', JUNTAS_ENV_FILE: 'off', ...env },
  })

const commands: [string, string[]][] = [
  ['backup', ['{folder}']],
  ['check-invariants', []],
  ['account', ['recover', 'ana']],
  ['operator/moderators', ['list']],
]

test.each(commands)('OPS-02 %s creates no database where no instance exists', async (script, args) => {
  const dataDir = join(folders, `nothing-${script.replace('/', '-')}`)
  const folder = join(folders, 'no-backup')
  const { status, output } = await command(
    script,
    args.map((word) => word.replace('{folder}', folder)),
    { DATA_DIR: dataDir },
  )
  expect([status, output]).toEqual([1, expect.stringContaining(`No instance exists in ${dataDir}.`)])
  expect(output).not.toContain('    at ')
  expect([existsSync(dataDir), existsSync(folder)]).toEqual([false, false])
})

test('OPS-01 every command reads the settings file and prints the instance', async () => {
  const file = join(folders, 'settings')
  writeFileSync(file, `DATA_DIR=${server.dataDir}\nPUBLIC_URL=http://localhost:1\nMAIL_FROM="A <a@b.test>"\n`)
  const env = { JUNTAS_ENV_FILE: file, DATA_DIR: undefined as never }
  for (const [script, args] of [
    ['check-invariants', []],
    ['doctor', []],
  ] as const) {
    const { output } = await command(script, [...args], env)
    expect(output).toContain(
      `Instance: http://localhost:1, database in ${server.dataDir}, pictures in ${join(server.dataDir, 'files')}, settings from ${file}.`,
    )
  }
})

test('OPS-01 an environment variable overrides the settings file', async () => {
  const file = join(folders, 'settings-of-another')
  writeFileSync(file, `DATA_DIR=${join(folders, 'another')}\n`)
  const { status, output } = await command('check-invariants', [], {
    JUNTAS_ENV_FILE: file,
    DATA_DIR: server.dataDir,
  })
  expect([status, output]).toEqual([0, expect.stringContaining('All invariants hold.')])
})

test('OPS-01 an error names a missing settings file, or a wrong setting and its file', async () => {
  const missing = join(folders, 'missing')
  const refused = await command('doctor', [], { JUNTAS_ENV_FILE: missing })
  expect([refused.status, refused.output]).toEqual([1, expect.stringContaining(missing)])
  const file = join(folders, 'wrong')
  writeFileSync(file, 'PORT=70000\n')
  const started = await startServer({ env: { JUNTAS_ENV_FILE: file, PORT: '70001' } }).catch(String)
  expect(started).toContain('PORT: ')
  const wrong = await command('check-invariants', [], { JUNTAS_ENV_FILE: file })
  expect(wrong.output).toContain(`These settings are wrong (${file} and the environment)`)
})

test('OPS-03 a backup of an instance without accounts is refused unless the operator allows it', async () => {
  const env = { DATA_DIR: server.dataDir }
  const folder = join(folders, 'empty')
  const refused = await command('backup', [folder], env)
  expect([refused.status, refused.output]).toEqual([1, expect.stringContaining('has no accounts')])
  expect(existsSync(folder)).toBe(false)
  expect(await command('backup', ['--allow-empty', folder], env)).toMatchObject({ status: 0 })

  const ana = { name: 'Ana', username: 'ana', email: 'ana@juntas.test', password: testPassword }
  await signUpAndSignIn(createHttpTransport(server.url), ana)
  expect(await command('backup', [join(folders, 'full')], env)).toMatchObject({ status: 0 })
})

test('OPS-04 a command refuses an unknown argument, and --help changes nothing', async () => {
  const before = readdirSync(folders)
  const env = { DATA_DIR: server.dataDir }
  for (const [script, args] of [
    ['backup', ['--halp', join(folders, 'b')]],
    ['restore', ['--chek', join(folders, 'b')]],
    ['account', ['recover', 'ana', 'bea']],
    ['operator/moderators', ['list', 'ana']],
    ['operator/emails', ['retry']],
    ['operator/community', ['accent', 'neon']],
  ] as const) {
    const { status, output } = await command(script, [...args], env)
    expect([script, status, output]).toEqual([script, 1, expect.stringContaining('Usage:\n  npm run ')])
  }
  for (const script of ['backup', 'account']) {
    const { status, output } = await command(script, ['--help'], env)
    expect([script, status, output]).toEqual([script, 0, expect.stringMatching(/^Usage:\n {2}npm run /)])
  }
  expect(readdirSync(folders)).toEqual(before)
})

test('OPS-04 the operator cannot remove the moderator role from a member who does not have it', async () => {
  const { status, output } = await command('operator/moderators', ['remove', 'ana'], {
    DATA_DIR: server.dataDir,
  })
  expect([status, output]).toEqual([1, expect.stringContaining('ana is not a moderator')])
})

test('OPD-02 one command changes the announcement, OPD-07 another discards an email, and the log records both', async () => {
  const env = { DATA_DIR: server.dataDir }
  const database = new Client({ connectionString: findEmbeddedPostgresUrl(server.dataDir) ?? '' })
  await database.connect()
  try {
    const { rows: emails } = await database.query<{ id: string }>(`
      insert into emails (kind, sealed, recipient_hash, expires_at, failed_at)
      values ('recovery', 'sealed', sha256('ana'), now(), now()) returning id`)
    const id = String(emails[0]?.id)
    expect(await command('operator/emails', ['retry', id], env)).toMatchObject({
      status: 1,
      output: expect.stringContaining(`The link or code of email ${id} has expired.`),
    })
    expect((await command('operator/emails', ['discard', id], env)).status).toBe(0)
    expect((await command('operator/emails', ['discard', id], env)).status).toBe(1)
    const { output } = await command('operator/community', ['announcement', 'El sábado nos vemos'], env)
    expect(output).toContain('Announcement: El sábado nos vemos')
    const { rows: acts } = await database.query('select act, detail from operator_acts order by id')
    expect(acts).toEqual([
      { act: 'email.discard', detail: { kind: 'recovery' } },
      { act: 'community.update', detail: { fields: ['announcement'] } },
    ])
  } finally {
    await database.end()
  }
})
