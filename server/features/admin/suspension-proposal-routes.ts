import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  confirmSuspensionProposalOperation,
  declineSuspensionProposalOperation,
  listSuspensionProposalsOperation,
  type SuspensionProposal,
} from '#contract/admin/suspension-proposals.ts'
import type { AppContext } from '../../app-context.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { memberKeyParameter, whereMemberHasAbility } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import {
  confirmProposedSuspensionAsOperator,
  declineProposedSuspensionAsOperator,
} from '../moderation/decide-case.ts'
import { recordOperatorAct } from './operator-acts.ts'

/** There is at most one proposal for each moderator or operator. */
const mostListed = 100

export function registerSuspensionProposalRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, listSuspensionProposalsOperation, async (_input, ctx) => {
    const asMe = memberKeyParameter(ctx.me.id)
    const { rows } = await sql<Omit<SuspensionProposal, 'proposedAt'> & { proposed_at: Date }>`
      select p.public_id as "$id", p.text, p.days, p.created_at as proposed_at,
        jsonb_build_object('$id', u.public_id, 'name', u.name, 'username', u.username) as about,
        jsonb_build_object('$id', o.public_id, 'name', o.name, 'username', o.username) as by,
        jsonb_build_object('confirm', ${whereMemberHasAbility(asMe, 'confirmSuspension', 'moderation_cases', 'c')}) as can
      from suspension_proposals p join moderation_cases c on c.id = p.case_id
      join users u on u.id = c.about_id join users o on o.id = p.proposed_by
      where ${whereMemberHasAbility(asMe, 'seeProposal', 'moderation_cases', 'c')}
      order by p.created_at, p.id limit ${mostListed}`.execute(ctx.database.kysely)
    return {
      documents: rows.map(({ proposed_at, ...proposal }) => ({
        ...proposal,
        proposedAt: formatIsoTimestamp(proposed_at),
      })),
    }
  })

  registerRoute(app, context, confirmSuspensionProposalOperation, async ({ proposalId }, ctx) => {
    const { me, store, live } = ctx
    await store.transact(async (tx) => {
      const about = await confirmProposedSuspensionAsOperator(tx, me.id, proposalId)
      await recordOperatorAct(tx.db, 'suspension.confirm', { by: { member: me.id }, about })
    })
    live.notify([])
  })

  registerRoute(app, context, declineSuspensionProposalOperation, async ({ proposalId }, ctx) => {
    const { me, store } = ctx
    await store.transact(async ({ db }) => {
      const about = await declineProposedSuspensionAsOperator(db, me.id, proposalId)
      await recordOperatorAct(db, 'suspension.decline', { by: { member: me.id }, about })
    })
  })
}
