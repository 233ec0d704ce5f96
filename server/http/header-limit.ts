import type { FastifyInstance } from 'fastify'
import { throwFailure } from '../errors.ts'

/** More than browsers and proxies send. */
const maxHeaders = 100

export function limitHeaderCount(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.rawHeaders.length > 2 * maxHeaders) throwFailure('general_headers_too_large')
  })
}
