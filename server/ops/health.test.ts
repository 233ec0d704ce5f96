import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { type SecondServerNode, startSecondServerNode } from '#tests/support/second-node.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { createServerLogger } from '../log.ts'
import { runningVersion } from '../version.ts'

const stopping = new AbortController()
let database: Database
let node: SecondServerNode
beforeAll(async () => {
  database = await createTestDatabase()
  node = await startSecondServerNode(database, {}, stopping.signal)
})
afterAll(async () => {
  await node.end()
  await database.close()
})

const ask = async (path: string, { app } = node) => {
  const { statusCode, headers, body } = await app.inject({ url: path })
  return { status: statusCode, connection: headers.connection, body: JSON.parse(body) }
}

test('anyone can read that a healthy node is live and ready', async () => {
  expect(await ask('/health/live')).toMatchObject({ status: 200, body: { live: true } })
  expect(await ask('/health/ready')).toMatchObject({ status: 200, body: { ready: true } })
})

test('OPD-01 the version is public, at the same path as in Appwrite', async () => {
  const { version } = runningVersion
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  expect(await ask('/v1/health')).toMatchObject({ status: 200, body: { status: 'pass', version } })
  expect(await ask('/v1/health/version')).toMatchObject({ status: 200, body: { version } })
})

test('T06 a node without its database is live but not ready', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'juntas-health-'))
  const log = createServerLogger('silent')
  const lost = await createTestDatabase()
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const app = await buildApp({ config, log, database: lost })
  await lost.close()
  try {
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200)
    const ready = await app.inject({ url: '/health/ready' })
    expect(ready.statusCode).toBe(503)
    expect(ready.json()).toEqual({ ready: false, because: 'database' })
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('T23 a stopping node is no longer ready for the load balancer, and still serves requests', async () => {
  stopping.abort()
  expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { because: 'stopping' } })
  expect(await ask('/health/live')).toMatchObject({ status: 200, connection: 'close' })
  const account = await node.app.inject({ url: '/v1/account' })
  expect(account.statusCode).toBe(401)
  expect(account.headers.connection).toBe('close')
})
