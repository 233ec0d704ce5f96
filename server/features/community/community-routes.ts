import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  acceptHouseRulesOperation,
  getCommunityOperation,
  getCommunitySettingsOperation,
  updateCommunityOperation,
} from '#contract/community/community.ts'
import type { AppContext } from '../../app-context.ts'
import { throwFailure } from '../../errors.ts'
import { isLoopbackName } from '../../loopback-name.ts'
import { isLocalRequest } from '../../net/loopback-ip.ts'
import { registerRoute } from '../../route.ts'
import { recordOperatorAct } from '../admin/operator-acts.ts'
import {
  type CommunitySettings,
  readCommunitySettings,
  writeCommunitySettings,
} from './community-settings.ts'

export function registerCommunityRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    getCommunityOperation,
    async (_input, { request, config, outbox, database }) => ({
      ...shown(await readCommunitySettings(database.kysely, config)),
      mail: config.smtpUrl !== undefined || outbox !== null,
      outbox:
        config.smtpUrl === undefined &&
        outbox !== null &&
        isLocalRequest(request) &&
        isLoopbackName(request.hostname),
    }),
  )

  registerRoute(app, context, getCommunitySettingsOperation, async (_input, ctx) => {
    return shown(await readCommunitySettings(ctx.database.kysely, ctx.config))
  })

  registerRoute(app, context, updateCommunityOperation, async (change, ctx) => {
    const { config, database, store } = ctx
    const { fixed } = await readCommunitySettings(database.kysely, config)
    const field = fixed.find((name) => change[name] !== undefined)
    if (field) throwFailure('community_set_by_operator', { field })
    const by = { member: ctx.me.id }
    await store.transact(async ({ db }) => {
      const fields = await writeCommunitySettings(db, change)
      const others = fields.filter((name) => name !== 'registration')
      if (others.length > 0)
        await recordOperatorAct(db, 'community.update', { by, detail: { fields: others } })
      if (fields.includes('registration'))
        await recordOperatorAct(db, 'registration.update', { by, detail: { to: change.registration } })
    })
    await ctx.identity.refresh()
    return shown(await readCommunitySettings(database.kysely, config))
  })

  registerRoute(app, context, acceptHouseRulesOperation, async ({ version }, { caller, store }) => {
    await store.transact(({ db }) =>
      sql`update accounts set rules_seen = greatest(rules_seen, least(${version}, (select rules_version from community)))
        where id = ${caller.account.id}`.execute(db),
    )
  })
}

const shown = ({ rulesChangedAt, ...community }: CommunitySettings) => ({
  ...community,
  rulesChangedAt: rulesChangedAt?.toISOString() ?? null,
})
