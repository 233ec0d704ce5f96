/** People act only through the API: `ana.call(operation, input)` or `ana.request('GET', '/v1/…')`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  type ApiClient,
  createApiClient,
  type MemberClient,
  type RequestTransport,
  signUpAndSignIn,
} from '#api-client/member-client.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Database, DatabaseTimeouts } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import type { OutboundNetwork } from '#server/net/public-address.ts'
import { createTestDatabase } from './database.ts'
import { scanResponsesForLeaks } from './leak-scanner.ts'
import { sharedPatientImageProcessor } from './patient-images.ts'
import { rememberDatabaseOfApp } from './sealed-positions.ts'
import { startSecondServerNode } from './second-node.ts'

export type { MemberClient } from '#api-client/member-client.ts'

export type TestWorld = {
  /** With `TEST_NODES=2`, the first of two nodes, between which requests alternate. */
  app: FastifyInstance
  database: Database
  dataDir: string
  /** The member is signed in. The first name becomes the username. */
  join(name: string): Promise<MemberClient>
  visitor: ApiClient
  end(): Promise<void>
}

export const testPassword = 'correcta caballo pila grapa'

/**
 * @param env additional settings
 * @param reach a fake internet from which the server fetches pictures
 * @param timeouts for tests about database timeouts
 */
export async function createTestWorld(
  env: Record<string, string> = {},
  reach?: OutboundNetwork,
  timeouts?: DatabaseTimeouts,
): Promise<TestWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'juntas-world-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: 'silent',
    ...env,
  })
  const database = await createTestDatabase(timeouts)
  const images = sharedPatientImageProcessor()
  const app = await buildApp({ config, log: createServerLogger(config.logLevel), database, reach, images })
  scanResponsesForLeaks(app, database)
  rememberDatabaseOfApp(app, database)
  const second =
    process.env.TEST_NODES === '2'
      ? await startSecondServerNode(database, { ...env, DATA_DIR: dataDir })
      : null
  const nodes = second ? alternate(app, second.app) : app
  const visitor = createApiClient(nodes, '')
  let joined = 0

  return {
    app,
    database,
    dataDir,
    visitor,
    async join(name) {
      joined += 1
      const username = `${name.split(' ')[0]?.toLowerCase()}${joined > 1 ? joined : ''}`
      const email = `${username}@juntas.test`
      return signUpAndSignIn(nodes, { name, username, email, password: testPassword })
    },
    async end() {
      await second?.end()
      await app.close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Alternates like a load balancer, so concurrent requests share only the database. */
function alternate(...nodes: RequestTransport[]): RequestTransport {
  let turn = 0
  return {
    inject(options) {
      turn += 1
      return (nodes[turn % nodes.length] as RequestTransport).inject(options)
    },
  }
}
