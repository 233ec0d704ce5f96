import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { startServer } from '#scripts/harness/server-process.ts'
import { runProgram } from '#scripts/run-tool.ts'
import type { Database } from '#server/database/open-database.ts'
import { createTestDatabase } from '#tests/support/database.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

let database: Database
let dataDir: string
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = createNonDurableFolder('juntas-shared-key-')
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = (secretKey: string) => ({
  DATABASE_URL: database.directUrl,
  SECRET_KEY: secretKey,
  DATA_DIR: dataDir,
})
const refusal = (secretKey: string) =>
  startServer({ env: environment(secretKey) }).then(
    async (server) => {
      await server.stop()
      return 'it started'
    },
    (error: Error) => error.message,
  )
const command = (script: string, args: string[], secretKey: string) =>
  runProgram(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { JUNTAS_ENV_FILE: 'off', REDIS_URL: '', S3_ENDPOINT: '', SMTP_URL: '', ...environment(secretKey) },
  })

test('OPS-05 a node without the key, or with another key, does not start beside the first node', async () => {
  expect(await refusal('')).toContain('SECRET_KEY is missing')
  const first = await startServer({ env: environment(key(1)), dataDir })
  try {
    expect(await refusal('')).toContain('secret.key is missing')
    expect(await refusal(key(2))).toContain('The key in SECRET_KEY is another one')
    const second = await startServer({ env: environment(key(1)) })
    expect(await second.stop()).toBe(0)
  } finally {
    await first.stop()
  }
})

test('OPS-05 the doctor and the backup command report a key that is not the instance’s', async () => {
  const doctor = await command('doctor', [], key(2))
  expect([doctor.status, doctor.output]).toEqual([1, expect.stringContaining('✗ The key in SECRET_KEY')])
  const folder = join(dataDir, 'backup')
  const wrong = await command('backup', ['--allow-empty', folder], key(2))
  expect([wrong.status, wrong.output]).toEqual([1, expect.stringContaining('needs a different key')])
})

test('OPS-06 new-key changes nothing if the key is right or the operator does not confirm', async () => {
  const right = await command('account', ['new-key', '--yes'], key(1))
  expect([right.status, right.output]).toEqual([1, expect.stringContaining('already is the instance’s')])
  const silent = await command('account', ['new-key'], key(2))
  expect([silent.status, silent.output]).toEqual([1, expect.stringContaining('0 authenticator apps')])
  expect(silent.output).toContain('0 emails that wait')
  expect(silent.output).toContain('add --yes if there is no terminal')
  expect(await refusal(key(2))).toContain('is another one')
  expect(await command('account', ['new-key', '--yes'], key(2))).toMatchObject({ status: 0 })
  expect(await refusal(key(2))).toBe('it started')
})
