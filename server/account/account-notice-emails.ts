/** Tells an account's mailbox what was added that opens the account. */
import type { AppContext } from '../app-context.ts'
import type { AccountRow } from '../auth/verified-contact.ts'
import type { AccountNoticeKind } from '../messaging/email-copy.ts'
import { renderLinkEmail } from '../messaging/message-templates.ts'
import { getServerPublicUrl } from '../public-url.ts'
import type { RequestContext } from '../route.ts'

/** Sends a notice, unless the account has no address or it got many today: what it tells of has happened already. */
export async function sendAccountNoticeEmail(
  ctx: Pick<RequestContext, 'request'> & AppContext,
  { email }: AccountRow,
  kind: AccountNoticeKind,
): Promise<void> {
  const { request, limits, mail } = ctx
  if (email === null || !(await limits.spend(request, 'notice', email))) return
  mail.send(email, renderLinkEmail(kind, `${getServerPublicUrl(request, ctx)}/`))
}
