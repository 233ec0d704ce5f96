import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { throwFailure } from '../errors.ts'
import { isLoopbackName } from '../loopback-name.ts'
import { isLocalRequest } from '../net/loopback-ip.ts'
import { noRouteInput, registerRoute } from '../route.ts'

/**
 * Only this machine may read the outbox, because its codes open accounts. Checking the Host header prevents
 * DNS rebinding.
 */
export function registerDevOutboxRoute(app: FastifyInstance, context: AppContext): void {
  const { outbox } = context
  if (outbox === null) return
  const list = {
    method: 'GET',
    url: '/dev/outbox',
    who: 'visitor',
    limit: [],
    status: 200,
    input: noRouteInput,
  } as const
  registerRoute(app, context, list, async (_input, { request }) => {
    if (!isLocalRequest(request) || !isLoopbackName(request.hostname))
      throwFailure('general_access_forbidden')
    return outbox.entries()
  })
}
