/** Catching up with what changed while a client was away (architecture §14.1). The socket is appwrite/realtime.ts. */
import type { FastifyInstance } from 'fastify'
import { catchUp, liveCollections } from '#contract/live.ts'
import type { CollectionName } from '../collections.ts'
import { fail } from '../errors.ts'
import { serve } from '../operations.ts'
import type { Parts } from '../parts.ts'

export function liveOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, catchUp, async ({ since, collections }, { me, live }) => {
    const missed = await live.catchUp(me.id, since ?? null, collectionsIn(collections))
    return missed ?? fail('general_argument_invalid', { message: 'This is no position.', field: 'since' })
  })

  // The account door writes past the store: signing out is to close the sockets of that session at once.
  app.addHook('onResponse', async (request, reply) => {
    const wrote = request.method !== 'GET' && reply.statusCode < 400
    if (wrote && /^\/v1\/(account|auth)/.test(request.url)) parts.live.wake([])
  })
  app.addHook('onClose', () => parts.live.close())
}

function collectionsIn(text: string | undefined): readonly CollectionName[] {
  if (text === undefined) return liveCollections
  return text.split(',').map((name) => {
    const known = liveCollections.find((collection) => collection === name.trim())
    return (
      known ??
      fail('general_argument_invalid', { message: 'There is no such collection.', field: 'collections' })
    )
  })
}
