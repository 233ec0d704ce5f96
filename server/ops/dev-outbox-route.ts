/** Shows the operator what would have been sent while no mail server or SMS gateway is configured. */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { throwFailure } from '../errors.ts'
import { isLoopbackName } from '../loopback-name.ts'
import { isLocalRequest } from '../net/loopback-ip.ts'
import { noRouteInput, registerRoute } from '../route.ts'

/**
 * `GET /dev/outbox`, for a person at this machine: the codes in it open accounts. A page of another site whose name was
 * made to point here is refused by the name it asks for.
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
