import { sql } from 'kysely'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'
import { hasOpenAccount, memberKeyParameter, whereMemberHasAbility } from '../../policy/index.ts'
import type { RequestContext } from '../../route.ts'

/** Emails all operators except the caller, the member concerned and those without a verified address. */
export async function emailOperatorsOfProposals(ctx: RequestContext): Promise<void> {
  const { me, database, emails, request } = ctx
  if (!emails.isAvailable()) return
  const { rows } = await sql<{ email: string }>`
    select a.email from users u join accounts a on a.id = u.account_id
    where u.id <> ${me.id} and a.email is not null and a.email_verified and ${hasOpenAccount(sql.ref('u.id'))}
      and ${whereMemberHasAbility(sql<number>`u.id`, 'operateCommunity', 'users', 'u')}
      and exists (select from suspension_proposals p join moderation_cases c on c.id = p.case_id
        where p.proposed_by = ${memberKeyParameter(me.id)}
          and ${whereMemberHasAbility(sql<number>`u.id`, 'seeProposal', 'moderation_cases', 'c')})`.execute(
    database.kysely,
  )
  const link = `${getPublicUrlForRequest(request, ctx)}/admin/suspensions`
  for (const { email } of rows) emails.send(email, renderLinkEmail('suspension-proposed', link))
}
