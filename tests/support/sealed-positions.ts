import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/database/open-database.ts'
import { loadPositionSeal, type PositionSeal } from '#server/realtime/position-seal.ts'

const databases = new WeakMap<FastifyInstance, Database>()

export function rememberDatabaseOfApp(app: FastifyInstance, database: Database): void {
  databases.set(app, database)
}

/** @throws for an unknown app */
export function loadSealOfApp(app: FastifyInstance | string): Promise<PositionSeal> {
  const database = typeof app === 'string' ? undefined : databases.get(app)
  if (!database) throw new Error('The database of this server is not known.')
  return loadPositionSeal(database.kysely)
}
