/** A request without a project id means this project, the only one. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'

export const appwriteProjectId = 'juntas'
export const appwriteDatabaseId = 'main'
export const appwriteBucketId = 'media'

export function addAppwriteProjectGuard(app: FastifyInstance, config: Config): void {
  const known = new Set([appwriteProjectId, ...config.aliases.project])
  app.decorateRequest('project', undefined)
  app.addHook('onRequest', async (request) => {
    const header = request.headers['x-appwrite-project']
    const query = (request.query as Record<string, unknown> | undefined)?.project
    const given = header ?? (Array.isArray(query) ? query[0] : query)
    if (typeof given !== 'string' || given === '') return
    if (!known.has(given)) throwFailure('project_not_found')
    request.project = given
  })
}
