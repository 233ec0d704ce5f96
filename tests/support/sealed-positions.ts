/** Opens the positions in the outbox that a server of the tests seals for its members. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/database/open-database.ts'
import { loadPositionSeal, type PositionSeal } from '#server/realtime/position-seal.ts'

const databases = new WeakMap<FastifyInstance, Database>()

/** Lets `loadSealOfApp` find the key of an app. */
export function rememberDatabaseOfApp(app: FastifyInstance, database: Database): void {
  databases.set(app, database)
}

/** @throws for an app of which no database is remembered */
export function loadSealOfApp(app: FastifyInstance | string): Promise<PositionSeal> {
  const database = typeof app === 'string' ? undefined : databases.get(app)
  if (!database) throw new Error('The database of this server is not known.')
  return loadPositionSeal(database.kysely)
}
