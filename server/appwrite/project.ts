/** The dialect's project: there is one. A missing id means it, an unknown one is refused (reading D-01). */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'

export const projectId = 'juntas'
export const databaseId = 'main'
export const bucketId = 'media'

export function guardProject(app: FastifyInstance, config: Config): void {
  const known = new Set([projectId, ...config.aliases.project])
  app.addHook('onRequest', async (request) => {
    const header = request.headers['x-appwrite-project']
    const query = (request.query as Record<string, unknown> | undefined)?.project
    const given = header ?? (Array.isArray(query) ? query[0] : query)
    if (typeof given === 'string' && given !== '' && !known.has(given)) fail('project_not_found')
  })
}
