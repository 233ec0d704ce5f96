import type { FastifyInstance } from 'fastify'
import { throwFailure } from '../errors.ts'

/** Browsers and proxies send fewer headers than this. */
const maxHeaders = 100

export function limitHeaderCount(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.rawHeaders.length > 2 * maxHeaders) throwFailure('general_headers_too_large')
  })
}
