// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { PlantedFault } from '../planted-fault.ts'

const accountEvents = 'server/appwrite/realtime/account-events.test.ts'
const privateAccounts = 'server/features/people/private-accounts.test.ts'
const deletionEmailLimits = 'server/features/deletion/deletion-email-limits.test.ts'
const endedSession = 'server/features/account/ended-session.test.ts'
const applicationConfirmation = 'server/features/community/application-confirmation.test.ts'
const erasing = 'server/features/deletion/erase-account.test.ts'
const newerAccounts = 'server/features/deletion/newer-accounts-after-erasure.test.ts'

export const accountFaults: PlantedFault[] = [
  {
    name: 'an application waits before its address is confirmed',
    file: 'server/features/community/application-routes.ts',
    find: '{ toConfirm: emails.isAvailable() }',
    replace: '{ toConfirm: false }',
    red: [applicationConfirmation, 'an application with another person’s address reaches no operator'],
  },
  {
    name: 'the owner of the mailbox confirms an application without its password',
    file: 'server/features/community/application-routes.ts',
    find: "    if (!(await verifyPassword(application.password_hash, password))) throwFailure('user_invalid_credentials')\n",
    replace: '',
    red: [applicationConfirmation, 'the owner of the mailbox cannot confirm another person’s application'],
  },
  {
    name: 'sign-in finds unconfirmed applications',
    file: 'server/features/community/applications.ts',
    find: "state in ('waiting', 'declined') order by id desc",
    replace: "state <> 'approved' order by id desc",
    red: [applicationConfirmation, 'no response tells a stranger'],
  },
  {
    name: 'signing up sends no email',
    file: 'server/features/account/sign-up-routes.ts',
    find: '      await sendSignUpEmail(ctx, { ...account, email })\n',
    replace: '',
    red: ['server/features/account/sign-up-and-sessions.test.ts', 'signing up sends bea one email'],
  },
  {
    name: 'emails of sign-ups to one address have no limit',
    file: 'server/features/account/account-message-limits.ts',
    find: "(await limits.spend(request, 'account-message', `sign-up:${to}`)) &&",
    replace: '',
    red: [
      'server/features/account/sign-up-and-sessions.test.ts',
      'VER-09 the sixth sign-up within an hour with an abandoned address succeeds but sends no email',
    ],
  },
  {
    name: 'a recovery code that turns two-step verification off sends no email',
    file: 'server/features/account/second-factor-sign-in.ts',
    find: "  if (more.turnOff) await sendAccountNoticeEmail(ctx, created.account, 'two-steps-off')\n",
    replace: '',
    red: ['server/features/account/two-factor-authentication.test.ts', 'email, notification and log'],
  },
  {
    name: 'an unverified number of another account cannot be used',
    file: 'server/appwrite/account/credential-change-routes.ts',
    find: "        if (before.phone !== phone) await releaseUnverifiedAddress(db, 'phone', phone)\n",
    replace: '',
    red: [
      'server/appwrite/account/account.test.ts',
      'bea can take a phone number that another account left unverified, but not a verified number',
    ],
  },
  {
    name: 'a member whose account waits for deletion cannot re-authenticate to download her data',
    file: 'contract/account/account-settings.ts',
    find: "  path: '/me/proof',\n  status: 204,\n  who: 'account',\n  allowsClosing: true,\n",
    replace: "  path: '/me/proof',\n  status: 204,\n  who: 'account',\n",
    red: [
      'server/features/account/reauthentication-by-second-factor.test.ts',
      'hana downloads her data before her account is erased, also long after signing in',
    ],
  },
  {
    name: 'a stolen session disconnects a provider',
    file: 'server/features/account/connected-identity-routes.ts',
    find: '  const seen = await assertRecentStrongestReauthentication(ctx)\n',
    replace: '  const seen = { on: true }\n',
    red: [
      'server/features/account/connected-identities.test.ts',
      'SET-16 hana must re-authenticate to disconnect a provider, through both APIs',
    ],
  },
  {
    name: 'a restore makes open invitations valid again',
    file: 'server/backup/restore-backup.ts',
    find: '      if (!keepSignIns) await db.query(endOpenInvitations)\n',
    replace: '',
    red: [
      'server/backup/backup.test.ts',
      'a restore ends invitations that were open in the backup, unless the operator keeps sign-ins',
    ],
  },
  {
    name: 'a repeated follow request with the same id notifies the other member again',
    file: 'server/features/people/follow-request-routes.ts',
    find: 'r.xmax = 0 or exists (',
    replace: 'true or exists (',
    red: [
      privateAccounts,
      'REQ-02 REQ-11 repeated follow requests under one id notify once, and once more after a withdrawal',
    ],
  },
  {
    name: 'a new profile’s id is the username of another member or a reserved name',
    file: 'server/appwrite/documents/create-legacy-profile.ts',
    find: '  await refuseMisleadingId(tx, id)\n',
    replace: '',
    red: [
      'server/features/account/look-alike-usernames.test.ts',
      'no member can have the reserved profile id ',
    ],
  },
  {
    name: 'a new group’s id is the path of the form that creates groups',
    file: 'server/features/groups/group-effects.ts',
    find: "  if (isAddressOfOtherScreen('group', group.public_id)) throwFailure('document_already_exists')\n",
    replace: '',
    red: ['server/features/groups/groups.test.ts', 'a new group cannot have the id of a form:'],
  },
  {
    name: 'the browsers of a deleted account stay, and connect a new account to an old block',
    file: 'server/features/deletion/erasure-steps.ts',
    find: "        ['known_devices', ofAccount(of)],\n",
    replace: '',
    red: [
      newerAccounts,
      "BLK-29 DEL-09 after mutual blocks, his block does not find Uma's new accounts once her old account is erased",
    ],
  },
  {
    name: 'a browser that signed in again is unsubscribed after the last push of its earlier session',
    file: 'server/features/notifications/push/send-pushes.ts',
    find: "unlessInUse ? found.where('session_id', 'is', null) : found",
    replace: 'unlessInUse ? found : found',
    red: [
      'server/features/notifications/push/push.test.ts',
      'PUSH-09 signing in again while the last push is being sent keeps the subscription',
    ],
  },
  {
    name: 'a browser that signed in again receives the last push of its earlier session',
    file: 'server/features/notifications/push/send-pushes.ts',
    find: '    if (await belongsToSession(ctx, browser)) return\n',
    replace: '',
    red: [
      'server/features/notifications/push/push.test.ts',
      'PUSH-09 signing in again while the last push is queued cancels that push',
    ],
  },
  {
    name: 'a download continues after its session has ended',
    file: 'server/features/data-export/stream-archive.ts',
    find: 'if (unchecked >= checkedEveryBytes)',
    replace: 'if (unchecked < 0)',
    red: [
      'server/features/data-export/account-export.test.ts',
      'EXPT-06 ending the session stops the download, except for data already sent',
    ],
  },
  {
    name: 'a stalled download of an ended session keeps its slot',
    file: 'server/features/data-export/stream-archive.ts',
    find: '.catch((error: Error) => stream.destroy(error))',
    replace: '.catch(() => {})',
    red: [
      'server/features/data-export/account-export.test.ts',
      "EXPT-06 ending a session whose downloads stall frees both of hana's download slots within seconds",
    ],
  },
  {
    name: 'an account that became private again still approves waiting followers',
    file: 'server/features/people/follow-request-routes.ts',
    find: 'sql`and not ${isPrivateAccount(memberKeyParameter(me.id))}`',
    replace: 'sql``',
    red: [
      'server/features/people/private-account-races.test.ts',
      'PRIV-15 REQ-08 petra opens her account and closes it again at once, and nobody is admitted afterwards',
    ],
  },
  {
    name: 'a new code invalidates earlier codes to the same address',
    file: 'server/auth/one-time-tokens.ts',
    find: "    .where('asked_as', '=', about.shownUserId)\n",
    replace: '',
    red: [
      'server/appwrite/account/tokens.test.ts',
      "marta's code by /tokens/email works after a stranger requested another",
    ],
  },
  {
    name: 'an account opens without re-authentication',
    file: 'server/features/people/privacy-settings-routes.ts',
    find: '      await (password === undefined\n        ? assertRecentReauthentication(ctx)\n        : reauthenticateWithPassword(ctx, password))\n',
    replace: '      if (password !== undefined) await reauthenticateWithPassword(ctx, password)\n',
    red: [
      privateAccounts,
      'PRIV-11 switching to public needs the password unless the session was re-authenticated recently',
    ],
  },
  {
    name: 'a password alone changes the phone number',
    file: 'server/appwrite/account/credential-change-routes.ts',
    find: '      const seen = await assertRecentCodeIfTwoFactorOn(ctx)\n      const account',
    replace: '      const seen = { on: true }\n      const account',
    red: [
      'server/features/account/reauthentication-by-second-factor.test.ts',
      'hana needs a code to change her phone number in an Appwrite client',
    ],
  },
  {
    name: 'an account becomes public while two-factor authentication is turned on',
    file: 'server/features/people/privacy-settings-routes.ts',
    find: '      if (seen) await lockAccountUnlessTwoFactorTurnedOn(tx.db, ctx, seen)\n',
    replace: '',
    red: [
      'server/features/account/reauthentication-by-second-factor.test.ts',
      'hana needs a code to make her account public if two-factor authentication is turned on at the same moment',
    ],
  },
  {
    name: 'using a session does not extend it',
    file: 'server/auth/session.ts',
    find: 'if (found.stale) {',
    replace: 'if (found.stale && !found.account_is_new) {',
    red: [
      'server/features/account/sign-up-and-sessions.test.ts',
      'a session used every day lasts longer than fourteen days',
    ],
  },
  {
    name: 'every member is notified of every member’s files',
    file: 'server/auth/record-token-and-file-changes.ts',
    find: 'join users owner on owner.id = f.owner_id`',
    replace: 'join users owner on owner.id <> f.owner_id`',
    red: [
      accountEvents,
      'a photo causes events for its uploader on every file channel, from upload to deletion',
    ],
  },
  {
    name: 'the server does not notify the account of an emailed link',
    file: 'server/auth/record-token-and-file-changes.ts',
    find: 't.account_id is not null',
    replace: 't.account_id is null',
    red: [
      accountEvents,
      'a verification email causes events when requested and when used, for its owner only and without its secret',
    ],
  },
  {
    name: 'strangers use up the email quota of an owner who uses a known browser',
    file: 'server/features/account/account-message-limits.ts',
    find: 'isVisitorKind(kind) ? await findOwnerRateLimitKey(database.kysely, request, config, to) : null',
    replace: 'null as string | null',
    red: [
      'server/appwrite/account/rate-limits.test.ts',
      'emails that strangers request leave the member her quota: known browsers and networks can request more',
    ],
  },
  {
    name: 'a person who signed up with an address counts as its owner',
    file: 'server/auth/known-browsers.ts',
    find: '(a.email_verified or ${orClaimed})',
    replace: '(a.email_verified or true or ${orClaimed})',
    red: [
      'server/features/account/account-message-limits.test.ts',
      'do not raise its quota of recovery emails',
    ],
  },
  {
    name: 'each sign-in adds an email quota of its own',
    file: 'server/features/account/account-message-limits.ts',
    find: "owner !== null && (await limits.spend(request, 'owner-message', `${kind}:${to}`))",
    replace: 'owner !== null',
    red: [
      'server/features/account/account-message-limits.test.ts',
      'can send only a few recovery emails to her mailbox',
    ],
  },
  {
    name: 'two-factor authentication set up after the request ends as well',
    file: 'server/features/account/two-factor-removal-requests.ts',
    find: 't.verified_at <= due.asked_at',
    replace: 'true',
    red: [
      'server/features/account/two-factor-authentication.test.ts',
      'MFA-15 two-factor authentication that was set up again meanwhile is not removed',
    ],
  },
  {
    name: 'a closed account keeps an address that it never verified',
    file: 'server/features/account/give-account-to-verified-owner.ts',
    find: '  if (await findClosedAccountFailure(db, holder, true)) return false\n',
    replace: '',
    red: ['server/auth/unverified-addresses-of-closed-accounts.test.ts', 'cannot lock her out'],
  },
  {
    name: 'an account with an unverified address stops the owner from changing to that address',
    file: 'server/features/account/email-change.ts',
    find: "    .where('email_verified', '=', true)\n    .executeTakeFirst()\n  if (holder &&",
    replace: '    .executeTakeFirst()\n  if (holder &&',
    red: [
      'server/features/account/unverified-new-addresses.test.ts',
      'S21 a member verifies an address that a stranger left unverified, through both APIs; the stranger loses only the address',
    ],
  },
  {
    name: 'a thief’s invitations outlive the new password',
    file: 'server/features/account/password-change.ts',
    find: '    await endOpenInvitations(db, caller.account.id)\n',
    replace: '',
    red: [
      'server/features/community/invitations-after-new-password.test.ts',
      "changing the password ends a thief's invitations through both APIs, and the member can create new ones",
    ],
  },
  {
    name: 'two simultaneous requests for recovery codes keep both sets valid',
    file: 'server/features/account/two-factor-authentication-routes.ts',
    find: '    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, { on })\n    await revokeTrustOfAllBrowsers',
    replace: '    await revokeTrustOfAllBrowsers',
    red: [
      'server/features/account/two-factor-authentication.test.ts',
      'MFA-11 if three tabs request recovery codes concurrently, only one set stays valid',
    ],
  },
  {
    name: 'two-factor authentication ends before the three days are over',
    file: 'server/features/account/two-factor-removal-requests.ts',
    find: 'where due_at <= clock_timestamp()',
    replace: 'where due_at is not null',
    red: [
      'server/features/account/two-factor-authentication.test.ts',
      "MFA-15 the operator's request removes two-factor authentication after 72 hours, with an email and a log entry",
    ],
  },
  {
    name: 'a recovery in an unknown browser sends no notice',
    file: 'server/features/account/password-reset.ts',
    find: 'const known = await isKnownBrowser(db, readBrowserCookie(request, config), account.id)',
    replace:
      'const known = (await isKnownBrowser(db, readBrowserCookie(request, config), account.id)) || true',
    red: [
      'server/features/account/new-device-notices.test.ts',
      'SESS-06 signing in by link, Appwrite password, passkey or recovery notifies the member once per browser',
    ],
  },
  {
    name: 'the operator’s link verifies the email address',
    file: 'server/features/account/password-reset.ts',
    find: 'const verifiesMailbox = token.sent_to !== null',
    replace: 'const verifiesMailbox = true',
    red: [
      'server/features/account/operator-commands.test.ts',
      "the operator's link ends neither two-factor authentication nor passkeys and verifies no mailbox (verified before: ",
    ],
  },
  {
    name: 'undoing an address change keeps a thief’s request to end two-factor authentication',
    file: 'server/features/account/email-change.ts',
    find: 'if (await cancelTwoFactorRemovalSince(db, account_id, created_at))',
    replace: 'if (await cancelTwoFactorRemovalSince(db, 0, created_at))',
    red: [
      'server/features/account/email-link-routes.test.ts',
      'that a thief had the operator asked for since ends with it',
    ],
  },
  {
    name: 'an Appwrite client ends two-factor authentication without an email',
    file: 'server/appwrite/account/mfa-routes.ts',
    find: 'if (isChanged && !mfa)',
    replace: 'if (isChanged && !isChanged)',
    red: [
      'server/features/account/two-factor-authentication.test.ts',
      'MFA-14 an Appwrite client that turns two-factor authentication off is reported once by email and log',
    ],
  },
  {
    name: 'rate-limit headers reveal where the owner of an address signed in',
    file: 'server/http/rate-limits.ts',
    find: 'if (refused || !withoutHeaders.has(name))',
    replace: '',
    red: [
      'server/features/account/limit-headers.test.ts',
      "only the caller's own requests, whatever the address and its owner's devices",
    ],
  },
  {
    name: 'an attempt is compared with a code sent after the attempt was counted',
    file: 'server/auth/one-time-tokens.ts',
    find: 'where t.id = ${found?.id ?? null} and t.used_at',
    replace:
      'where t.id = (select max(id) from tokens where asked_as = ${userId} and ${found?.id ?? null}::bigint is distinct from 0) and t.used_at',
    red: [
      'server/features/account/sign-in-by-link-or-code.test.ts',
      'cannot match a code emailed to a member meanwhile',
    ],
  },
  {
    name: 'an open session has unlimited password attempts',
    file: 'server/features/account/reauthentication.ts',
    find: 'if (isRight) await ctx.limits',
    replace: 'await ctx.limits',
    red: [
      'server/appwrite/account/rate-limits.test.ts',
      "a session allows ten password attempts an hour, and the member's other sessions are not affected",
    ],
  },
  {
    name: 'an email repeats the browser’s own name for itself',
    file: 'server/email/message-templates.ts',
    find: 'browsersInEmails.find((name) => name === browser)',
    replace: '(browser ?? undefined)',
    red: [
      'server/features/account/new-device-notices.test.ts',
      'SESS-06 the email never contains the name that a browser gives itself',
    ],
  },
  {
    name: 'a browser stays trusted under its earlier cookie',
    file: 'server/auth/known-browsers.ts',
    find: 'before === null || trusted ?',
    replace: 'before === null ?',
    red: [
      'server/features/account/two-factor-authentication.test.ts',
      'S11 trusting a browser replaces an identifier that someone planted, and the browser stays known to other accounts',
    ],
  },
  {
    name: 'a passkey answers a challenge of another session',
    file: 'server/auth/passkeys.ts',
    find: 'and session_id is not distinct from ${sessionOf(purpose)}::bigint and expires_at',
    replace: 'and expires_at',
    red: [
      'server/features/account/passkeys.test.ts',
      'PKEY-05 a challenge works once, for its own purpose, in its own session, for ten minutes',
    ],
  },
  {
    name: 'a passkey is accepted with any signature counter',
    file: 'server/auth/passkeys.ts',
    find: 'isCopy: !(await countUse(db, found.id, authenticationInfo))',
    replace: 'isCopy: (await countUse(db, found.id, authenticationInfo)) === null',
    red: [
      'server/features/account/passkeys.test.ts',
      "PKEY-05 a decreasing counter is refused and reported by email and log, unless a stranger's key signed it",
    ],
  },
  {
    name: 'a passkey of any account re-authenticates the caller',
    file: 'server/auth/passkeys.ts',
    find: "(${purpose.for === 'sign-in'} or a.id =",
    replace: '(true or a.id =',
    red: [
      'server/features/account/passkeys.test.ts',
      'PKEY-08 a passkey re-authenticates only its own account',
    ],
  },
  {
    name: 'a subject of another issuer opens the account',
    file: 'server/features/account/identity-account.ts',
    find: "    .where('issuer', '=', issuer)\n",
    replace: '',
    red: [
      'server/features/account/provider-issuer-change.test.ts',
      "OIDC-12 after a change of issuer, the new issuer's lena neither opens the account of the old issuer's lena nor keeps her from connecting again",
    ],
  },
  {
    name: 'passkeys do not count as sign-in methods, so the last one can be removed',
    file: 'server/features/account/passkey-routes.ts',
    find: '    await assertSignInMethodRemains(db, ctx, caller.account.id)\n',
    replace: '',
    red: [
      'server/features/account/passkeys.test.ts',
      'PKEY-07 SET-11 the last sign-in method cannot be removed, even if two are removed concurrently',
    ],
  },
  {
    name: 'a new password leaves the passkeys of people who knew the old one',
    file: 'server/features/account/give-account-to-verified-owner.ts',
    find: 'await removePasskeys(db, id, { since: email_proven_at, keep })',
    replace: '0',
    red: [
      'server/features/account/passkeys.test.ts',
      "PKEY-07 changing the password removes a stranger's passkey, unless that passkey opened the session",
    ],
  },
  {
    name: 'a member whose account is being deleted can use it as before',
    file: 'server/auth/authenticate.ts',
    find: 'if (found?.session.closing) return { ...nobody, closingCaller: found }',
    replace: '',
    red: [
      'server/features/deletion/deletion-requests.test.ts',
      'DEL-06 DEL-16 signing in before the erasure only lets hana keep, erase or export, and Appwrite clients are refused',
    ],
  },
  {
    name: 'an erasure step ends after its first batch',
    file: 'server/features/deletion/erase-account.ts',
    find: 'return advance(tx, row, { done: rows === 0, counts })',
    replace: 'return advance(tx, row, { done: true, counts })',
    red: [
      erasing,
      'DEL-11 if erasing stops between or within batches, another node continues and counts the same',
    ],
  },
  {
    name: 'a starting node resumes an interrupted erasure only at the next interval',
    file: 'server/concurrency/repeating-job.ts',
    find: 'timer.unref()\n  void run()',
    replace: 'timer.unref()',
    red: [erasing, 'a starting node continues immediately'],
  },
  {
    name: 'undoing an address change leaves the account closed',
    file: 'server/features/account/email-change.ts',
    find: 'await undoAccountClosureSince(db, request, account_id, created_at)',
    replace: '',
    red: [
      'server/features/account/email-link-routes.test.ts',
      'undoing the change of address cancels a deletion',
    ],
  },
  {
    name: 'a member suspended while reopening her account has an open account',
    file: 'server/features/moderation/decide-case.ts',
    find: '  if (account.open) return account\n',
    replace: '  if (account) return account\n',
    red: [
      'server/features/moderation/appeals.test.ts',
      'that was closed for a while, by signing in, leaves it closed',
    ],
  },
  {
    name: 'undoing an address change reopens an account that an operator closed',
    file: 'server/auth/account-reopening.ts',
    find: ' and e.created_at >= a.closed_at',
    replace: '',
    red: [
      'server/features/account/email-link-routes.test.ts',
      'undoing the change does not reopen an account that an operator closed, even if the member had closed it earlier',
    ],
  },
  {
    name: 'a sign-in that waits for its second step uses up the owner’s rate limit',
    file: 'server/http/rate-limits.ts',
    find: 'caller && !caller.session.pending ? caller.account : null',
    replace: 'caller && caller.account',
    red: [
      'server/features/account/two-factor-authentication.test.ts',
      "S24 a stranger's pending sign-in does not use up the member's request quota",
    ],
  },
  {
    name: 'a socket reveals before the second step that an account is being deleted',
    file: 'server/auth/session.ts',
    find: 'if (found === null || found.session.pending) return null\n',
    replace: 'if (found === null) return null\n',
    red: [
      'server/features/deletion/deletion-requests.test.ts',
      'DEL-06 MFA-06 no socket reveals the deletion before the second step',
    ],
  },
  {
    name: 'strangers use up the second-step attempts of a known browser',
    file: 'server/auth/second-factors.ts',
    find: 'session.pending ? await beganInKnownBrowser(db, session.id) : true',
    replace: 'false',
    red: [
      'server/features/account/two-factor-authentication.test.ts',
      'S24 MFA-09 a stranger with the password uses up no attempts of a known browser, which has ten of its own',
    ],
  },
  {
    name: 'recovery codes of another session open an account that turned two-factor authentication on later',
    file: 'server/features/account/two-factor-authentication-routes.ts',
    find: '    await revokeRecoveryCodesOfOtherSessions(db, accountId, caller.session.publicId)\n',
    replace: '',
    red: [
      'server/features/account/second-factors-added-by-attackers.test.ts',
      'recovery codes that a password thief created stop working when ana turns two-factor authentication on ',
    ],
  },
  {
    name: 'an authenticator app that an attacker added stops the owner from adding one',
    file: 'server/auth/second-factors.ts',
    find: 'where t.verified_at is null or not exists',
    replace: 'where t.verified_at is null and not exists',
    red: [
      'server/features/account/second-factors-added-by-attackers.test.ts',
      "a thief's authenticator neither opens the account nor prevents ana from turning on her own ",
    ],
  },
  {
    name: 'the only sign-in phone of an account is changed to an unverified number',
    file: 'server/appwrite/account/credential-change-routes.ts',
    find: 'if (wasOpened) await',
    replace: 'if (!wasOpened) await',
    red: [
      'server/appwrite/account/account-takeover.test.ts',
      'an account with only a phone cannot change to an unverified number',
    ],
  },
  {
    name: 'strangers use up the code attempts of a known browser',
    file: 'server/features/account/sign-in-by-link-or-code.ts',
    find: 'owner ?? address ?? userId',
    replace: 'address ?? userId',
    red: [
      'server/appwrite/account/rate-limits.test.ts',
      'a stranger who guesses codes does not lock the member out of a known browser or network',
    ],
  },
  {
    name: 'a member who lost her email address cannot return by phone',
    file: 'server/auth/suspended-and-closed-accounts.ts',
    find: '(allowsClosed || canReopenOnlyThroughAppwrite(account))',
    replace: 'allowsClosed',
    red: [
      'server/features/account/close-account.test.ts',
      'a member who lost her address to its verified owner signs in with a code to her phone, unless she is suspended',
    ],
  },
  {
    name: 'a reserved username is accepted in fullwidth letters',
    file: 'server/database/migrations/0002-text.sql',
    find: 'translate(normalize(given, NFKC),',
    replace: 'translate(given,',
    red: ['server/features/account/look-alike-usernames.test.ts', 'no member can be named ＡＤＭＩＮ'],
  },
  {
    name: 'a suspended account gets a complete session',
    file: 'server/features/account/session-routes.ts',
    find: '  await assertAccountOpen(db, account, allowsClosed)\n',
    replace: '',
    red: [
      'server/features/moderation/appeals.test.ts',
      'MOD-16 MFA-12 a browser that luz trusts shows the suspension after the password, and her password requests a review',
    ],
  },
  {
    name: 'the second step opens a suspended account',
    file: 'server/features/account/second-factor-sign-in.ts',
    find: '    if (failure) {\n',
    replace: '    if (failure && more.allowsClosed === false) {\n',
    red: [
      'server/features/moderation/appeals.test.ts',
      "MOD-16 MOD-18 MFA-06 with two-factor authentication, luz's password does not reveal her suspension through either API; her code does",
    ],
  },
  {
    name: 'an account with two-factor authentication can request a review with only the password',
    file: 'server/features/moderation/notice-and-appeal-routes.ts',
    find: ' && !needsSecondStep\n',
    replace: '\n',
    red: [
      'server/features/moderation/appeals.test.ts',
      "MOD-16 MOD-18 MFA-06 with two-factor authentication, luz's password does not reveal her suspension through either API; her code does",
    ],
  },
  {
    name: 'a review can be requested before the second step',
    file: 'server/features/moderation/notice-and-appeal-routes.ts',
    find: ' and s.second_proved_at is not null',
    replace: '',
    red: [
      'server/features/moderation/appeals.test.ts',
      "MOD-16 MOD-18 MFA-06 with two-factor authentication, luz's password does not reveal her suspension through either API; her code does",
    ],
  },
  {
    name: 'a caller whose session ended during a request gets a permission error',
    file: 'server/route.ts',
    find: "toFailure(error)?.type === 'user_unauthorized'",
    replace: "toFailure(error)?.type === 'user_blocked'",
    red: [
      'tests/security/attacks.test.ts',
      'a message whose body arrives after the account closed gets 401 and is not stored',
    ],
  },
  {
    name: 'account-deletion emails have no limit',
    file: 'server/features/deletion/deletion-requests.ts',
    find: "    if (await consumeNoticeLimit(ctx, 'deletion-email', { email, email_verified }, request))\n",
    replace: '    if (email_verified || !email_verified)\n',
    red: [deletionEmailLimits, 'send at most ten messages a day to an address that nobody has proven'],
  },
  {
    name: 'notices to unverified addresses are not counted per network',
    file: 'server/http/account-notice-limits.ts',
    find: "request !== null && !(await limits.spend(request, 'email-network', getRateLimitSite(request.ip)))",
    replace: 'request !== null && request.ip === getRateLimitSite(request.ip) && request.ip.length === 0',
    red: [
      deletionEmailLimits,
      'S25 a network that used up its fifty emails sends deletion and new-browser emails only to verified addresses',
    ],
  },
  {
    name: 'a request that waited changes the account although its session ended',
    file: 'server/features/account/update-caller-account.ts',
    find: '  await lockCallersAccount(db, caller)\n',
    replace: '',
    red: [endedSession, 'waits for the account row chooses no first password'],
  },
  {
    name: 'a request that waited deletes the account although its session ended',
    file: 'server/features/deletion/deletion-requests.ts',
    find: '      await lockAccountUnlessTwoFactorTurnedOn(tx.db, ctx, seen)\n',
    replace: '',
    red: [endedSession, 'waits for the account row has nothing deleted'],
  },
  {
    name: 'a refused change of address reveals that the new address has an account',
    file: 'server/features/account/account-message-limits.ts',
    find: "kind === 'email-change' ? null",
    replace: "kind === 'recovery' ? null",
    red: [
      'server/features/account/account-message-limits.test.ts',
      'VER-06 S25 once the quota for emails to strangers is used up, changing to a taken address is refused like changing to a free one',
    ],
  },
  {
    name: 'undoing an address change keeps two-factor authentication that a thief turned on',
    file: 'server/features/account/email-change.ts',
    find: "event = 'mfa.create' and created_at >= ${since}",
    replace:
      "event = 'mfa.create' and created_at >= ${since} and created_at <= (select verified_at from totp_secrets t where t.account_id = account_events.account_id)",
    red: [
      'server/features/account/email-link-routes.test.ts',
      'that were turned on since by an app from before',
    ],
  },
  {
    name: 'undoing an address change ends the owner’s earlier two-factor authentication',
    file: 'server/features/account/email-change.ts',
    find: "event = 'mfa.create' and created_at >= ${since}",
    replace: "event = 'mfa.create' and ${since}::timestamptz is not null",
    red: ['server/features/account/email-link-routes.test.ts', 'from before stay'],
  },
]
