import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  type FirstSteps,
  getFirstStepsOperation,
  hideFirstStepsOperation,
} from '#contract/community/first-steps.ts'
import type { AppContext } from '../../app-context.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'

export function registerOperatorFirstStepsRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getFirstStepsOperation, async (_input, ctx): Promise<FirstSteps> => {
    const { rows } = await sql<{
      hidden: boolean
      invited: boolean
      has_moderator: boolean
      email_works: boolean
    }>`
      select exists (select from community where first_steps_hidden_at is not null) as hidden,
        exists (select from invitations) or exists (select from users u where u.id <> ${ctx.me.id}) as invited,
        exists (select from moderators m where ${hasOpenAccount(sql.ref('m.member_id'))}) as has_moderator,
        exists (select from accounts where labels @> array['operator'] and email_verified) as email_works`.execute(
      ctx.database.kysely,
    )
    const [found] = rows
    const email: FirstSteps['email'] = ctx.config.smtpUrl === undefined ? 'missing' : 'untested'
    return {
      hidden: found?.hidden ?? false,
      invited: found?.invited ?? false,
      hasModerator: found?.has_moderator ?? false,
      email: found?.email_works ? 'works' : email,
    }
  })

  registerRoute(app, context, hideFirstStepsOperation, async (_input, ctx) => {
    await ctx.store.transact(async ({ db }) => {
      await sql`insert into community default values on conflict do nothing`.execute(db)
      await sql`update community set first_steps_hidden_at = coalesce(first_steps_hidden_at, clock_timestamp())`.execute(
        db,
      )
    })
  })
}
