/** Each list leaves out muted members itself. */
import type { FastifyInstance } from 'fastify'
import {
  getMuteOperation,
  listMutedMembersOperation,
  muteMemberOperation,
  unmuteMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import type { AppContext } from '../../app-context.ts'
import { throwFailure } from '../../errors.ts'
import { registerRoute } from '../../route.ts'
import {
  addToMuteOrRestrictionList,
  isOnMuteOrRestrictionList,
  type MuteOrRestrictionList,
  readMuteOrRestrictionList,
  removeFromMuteOrRestrictionList,
} from './mute-and-restriction-lists.ts'

const mutes: MuteOrRestrictionList = {
  table: 'mutes',
  owner: 'muter_id',
  listed: 'muted_id',
  pair: 'mutes_pair',
}

export function registerMuteRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getMuteOperation, async ({ personId }, { me, database }) => ({
    muted: await isOnMuteOrRestrictionList(database.kysely, me, mutes, personId),
  }))

  registerRoute(app, context, muteMemberOperation, async ({ personId }, { me, store }) => {
    if (personId === me.publicId) throwFailure('mute_self_not_allowed')
    await store.autocommit(({ db }) => addToMuteOrRestrictionList(db, me, mutes, personId))
    return { muted: true as const }
  })

  registerRoute(app, context, unmuteMemberOperation, async ({ personId }, { me, store }) => {
    await store.autocommit(({ db }) => removeFromMuteOrRestrictionList(db, me, mutes, personId))
    return { muted: false as const }
  })

  registerRoute(app, context, listMutedMembersOperation, (page, { me, database, config }) =>
    readMuteOrRestrictionList(database.kysely, me, config, mutes, page),
  )
}
