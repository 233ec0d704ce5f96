/** A second node on the database of a test's world, as it stands behind the same balancer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import { createLog } from '#server/log.ts'
import { connectTo } from './database.ts'
import { scanAnswers } from './leaks.ts'

export type Node = { app: FastifyInstance; end(): Promise<void> }

/** @param env settings on top of the tests' own. @param stopping as `buildApp` has it */
export async function anotherNode(
  { directUrl }: Database,
  env: Record<string, string> = {},
  stopping?: AbortSignal,
): Promise<Node> {
  const dataDir = mkdtempSync(join(tmpdir(), 'juntas-node-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: 'silent',
    ...env,
  })
  const log = createLog(config.logLevel)
  const database = connectTo(directUrl)
  const app = await buildApp({ config, log, database, stopping })
  scanAnswers(app, database)
  return {
    app,
    async end() {
      await app.close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
