import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Database, DatabaseTimeouts } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { connectToTestDatabase } from './database.ts'
import { scanResponsesForLeaks } from './leak-scanner.ts'
import { sharedPatientImageProcessor } from './patient-images.ts'
import { rememberDatabaseOfApp } from './sealed-positions.ts'

export type SecondServerNode = { app: FastifyInstance; end(): Promise<void> }

/**
 * @param env additional settings
 * @param stopping as for `buildApp`
 * @param timeouts for tests about database timeouts
 */
export async function startSecondServerNode(
  { directUrl }: Database,
  env: Record<string, string> = {},
  stopping?: AbortSignal,
  timeouts?: DatabaseTimeouts,
): Promise<SecondServerNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'juntas-node-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: 'silent',
    ...env,
  })
  const log = createServerLogger(config.logLevel)
  const database = connectToTestDatabase(directUrl, timeouts)
  const app = await buildApp({ config, log, database, stopping, images: sharedPatientImageProcessor() })
  scanResponsesForLeaks(app, database)
  rememberDatabaseOfApp(app, database)
  return {
    app,
    async end() {
      await app.close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
