import type { FastifyInstance } from 'fastify'
import {
  getRestrictionOperation,
  listRestrictedMembersOperation,
  restrictMemberOperation,
  unrestrictMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import type { AppContext } from '../../app-context.ts'
import { holdAccountsOf } from '../../auth/lock-account-row.ts'
import { throwFailure } from '../../errors.ts'
import { registerRoute } from '../../route.ts'
import {
  addToMuteOrRestrictionList,
  isOnMuteOrRestrictionList,
  type MuteOrRestrictionList,
  readMuteOrRestrictionList,
  removeFromMuteOrRestrictionList,
} from './mute-and-restriction-lists.ts'

const restrictions: MuteOrRestrictionList = {
  table: 'restrictions',
  owner: 'restricter_id',
  listed: 'restricted_id',
  pair: 'restrictions_pair',
}

export function registerRestrictionRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getRestrictionOperation, async ({ personId }, { me, database }) => ({
    restricted: await isOnMuteOrRestrictionList(database.kysely, me, restrictions, personId),
  }))

  registerRoute(app, context, restrictMemberOperation, async ({ personId }, { me, store }) => {
    if (personId === me.publicId) throwFailure('restrict_self_not_allowed')
    await store.transact(async ({ db }) => {
      // Otherwise, a group of the closing account could pass to the restricted member.
      const open = await holdAccountsOf(db, [me.id])
      if (!open.has(me.id)) throwFailure('general_unauthorized_scope')
      await addToMuteOrRestrictionList(db, me, restrictions, personId)
    })
    return { restricted: true as const }
  })

  registerRoute(app, context, unrestrictMemberOperation, async ({ personId }, { me, store }) => {
    await store.autocommit(({ db }) => removeFromMuteOrRestrictionList(db, me, restrictions, personId))
    return { restricted: false as const }
  })

  registerRoute(app, context, listRestrictedMembersOperation, (page, { me, database, config }) =>
    readMuteOrRestrictionList(database.kysely, me, config, restrictions, page),
  )
}
