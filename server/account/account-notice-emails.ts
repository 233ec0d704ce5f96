/** Tells an account's mailbox what was added that opens the account. */
import type { AppContext } from '../app-context.ts'
import type { AccountRow } from '../auth/verified-contact.ts'
import { type AccountNoticeKind, renderLinkEmail } from '../messaging/message-templates.ts'
import type { RequestContext } from '../route.ts'
import { getServerPublicUrl } from './email-link-urls.ts'

/** Sends a notice, unless the account has no address or it got many today: what it tells of has happened already. */
export async function sendAccountNoticeEmail(
  { request, limits, ...context }: Pick<RequestContext, 'request' | 'limits'> & AppContext,
  { email }: AccountRow,
  kind: AccountNoticeKind,
): Promise<void> {
  if (email === null || !(await limits.spend(request, 'notice', email))) return
  context.mail.send(email, renderLinkEmail(kind, `${getServerPublicUrl(request, { ...context, limits })}/`))
}
