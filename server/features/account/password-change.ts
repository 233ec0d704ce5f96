import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { endOpenInvitations } from '../../auth/end-open-invitations.ts'
import { revokeTrustOfAllBrowsers } from '../../auth/known-browsers.ts'
import { revokeOneTimeTokens } from '../../auth/one-time-tokens.ts'
import { checkAndHashNewPassword } from '../../auth/password-hash.ts'
import type { PersonalDetails } from '../../auth/password-policy.ts'
import { type RequestCaller, revokeSessions } from '../../auth/session.ts'
import type { RequestContext } from '../../route.ts'
import { sendAccountNoticeEmail } from './account-security-notices.ts'
import { type AccountRow, removeCredentialsAddedSinceVerification } from './give-account-to-verified-owner.ts'
import { databaseNowSql, selectCallerAccount, updateCallerAccount } from './update-caller-account.ts'

/** Other people may know these details, so a password must not contain them. */
export const toPersonalDetails = (
  { member }: RequestCaller,
  { name, email }: AccountRow,
): PersonalDetails => ({
  name: member?.name ?? name,
  username: member?.username,
  email,
})

/**
 * Replaces the password, and ends every other session, JWT, emailed link and open invitation. Removes ways to
 * sign in that someone with the old password may have added (decision 0122).
 * @param checked the account, whose current password was just verified
 * @throws Failure 400 for a password that is easily guessed; 401 if the password changed meanwhile
 */
export async function replacePassword(
  ctx: RequestContext,
  checked: AccountRow,
  password: string,
): Promise<AccountRow> {
  const { request, caller, store } = ctx
  const password_hash = await checkAndHashNewPassword(password, toPersonalDetails(caller, checked))
  const { account, passkeys } = await store.transact(async ({ db }) => {
    const change = { password_hash, password_updated_at: databaseNowSql }
    // A sign-in with the old password waits for this lock and fails, or its session ends below.
    const changed = await updateCallerAccount(db, request, caller, change, {
      checked,
      event: 'password.update',
    })
    await revokeTrustOfAllBrowsers(db, caller.account.id)
    await revokeOneTimeTokens(db, caller.account.id)
    await revokeSessions(db, caller.account.id, { except: caller.session.id })
    await endOpenInvitations(db, caller.account.id)
    const passkeys = await removeCredentialsAddedSinceVerification(db, changed, caller.session)
    if (passkeys > 0) await recordAccountEvent(db, request, caller.account.id, 'passkey.delete')
    return { account: await selectCallerAccount(db, caller), passkeys }
  })
  if (passkeys > 0) await sendAccountNoticeEmail(ctx, account, 'passkey-removed')
  return account
}
