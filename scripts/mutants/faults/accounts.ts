// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { PlantedFault } from '../planted-fault.ts'

const accountEvents = 'server/appwrite/realtime/account-events.test.ts'
const privateAccounts = 'server/features/people/private-accounts.test.ts'
const deletionLetters = 'server/features/deletion/deletion-email-limits.test.ts'
const endedSession = 'server/features/account/ended-session.test.ts'
const applicationConfirmation = 'server/features/community/application-confirmation.test.ts'
const erasing = 'server/features/deletion/erase-account.test.ts'
const newerAccounts = 'server/features/deletion/newer-accounts-after-erasure.test.ts'

export const accountFaults: PlantedFault[] = [
  {
    name: 'an application waits before its address is confirmed',
    file: 'server/features/community/application-routes.ts',
    find: '{ toConfirm: mail.isAvailable() }',
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
    red: [applicationConfirmation, 'a stranger learns from no answer'],
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
    find: "(await limits.spend(request, 'letter', `sign-up:${to}`)) &&",
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
    red: ['server/features/account/two-step-verification.test.ts', 'email, notification and log'],
  },
  {
    name: 'an unverified number of another account cannot be used',
    file: 'server/appwrite/account/credential-change-routes.ts',
    find: "        if (before.phone !== phone) await endUnverifiedClaim(db, 'phone', phone)\n",
    replace: '',
    red: [
      'server/appwrite/account/account.test.ts',
      'bea can take a phone number that another account left unverified, but not a verified number',
    ],
  },
  {
    name: 'a found session disconnects a provider',
    file: 'server/features/account/connected-identity-routes.ts',
    find: '  await assertRecentReauthentication(ctx)\n',
    replace: '',
    red: [
      'server/features/account/connected-identities.test.ts',
      'SET-16 hana must re-authenticate to disconnect a provider, through both APIs',
    ],
  },
  {
    name: 'a restore brings open invitations back',
    file: 'server/backup/restore-backup.ts',
    find: '      if (!keepSignIns) await db.query(endOpenInvitations)\n',
    replace: '',
    red: [
      'server/backup/backup.test.ts',
      'a restore ends invitations that were open in the backup, unless the operator keeps sign-ins',
    ],
  },
  {
    name: 'who asks to follow again under the same id tells the other again',
    file: 'server/features/people/follow-request-routes.ts',
    find: 'r.xmax = 0 or exists (',
    replace: 'true or exists (',
    red: [
      privateAccounts,
      'REQ-02 REQ-11 repeated follow requests under one id notify once, and once more after a withdrawal',
    ],
  },
  {
    name: 'a profile has the username of another, or of the operator, for its address',
    file: 'server/appwrite/documents/create-legacy-profile.ts',
    find: '  await refuseMisleadingId(tx, id)\n',
    replace: '',
    red: [
      'server/features/account/look-alike-usernames.test.ts',
      'no member can have the reserved profile id ',
    ],
  },
  {
    name: 'a group has the address of the form that founds one',
    file: 'server/features/groups/group-effects.ts',
    find: "  if (isAddressOfOtherScreen('group', group.public_id)) throwFailure('document_already_exists')\n",
    replace: '',
    red: ['server/features/groups/groups.test.ts', 'a new group cannot have the id of a form:'],
  },
  {
    name: 'the browsers of a deleted account stay, and tie a new one to the block of who had blocked it',
    file: 'server/features/deletion/erasure-steps.ts',
    find: "        ['known_devices', ofAccount(of)],\n",
    replace: '',
    red: [
      newerAccounts,
      "BLK-29 DEL-09 after mutual blocks, his block does not find Uma's new accounts once her old account is erased",
    ],
  },
  {
    name: 'a browser that signed in again is forgotten after the last push of the session before',
    file: 'server/features/notifications/push/send-pushes.ts',
    find: "unlessInUse ? found.where('session_id', 'is', null) : found",
    replace: 'unlessInUse ? found : found',
    red: [
      'server/features/notifications/push/push.test.ts',
      'PUSH-09 signing in again while the last push is being sent keeps the subscription',
    ],
  },
  {
    name: 'a browser that signed in again is sent the last push of the session before',
    file: 'server/features/notifications/push/send-pushes.ts',
    find: '    if (await belongsToSession(ctx, browser)) return\n',
    replace: '',
    red: [
      'server/features/notifications/push/push.test.ts',
      'PUSH-09 signing in again while the last push is queued cancels that push',
    ],
  },
  {
    name: 'a download goes on after its session was ended',
    file: 'server/features/data-export/stream-archive.ts',
    find: 'if (unchecked >= checkedEveryBytes)',
    replace: 'if (unchecked < 0)',
    red: [
      'server/features/data-export/account-export.test.ts',
      'EXPT-06 ending the session stops the download, except for data already sent',
    ],
  },
  {
    name: 'a download of an ended session that reads nothing keeps its place',
    file: 'server/features/data-export/stream-archive.ts',
    find: '.catch((error: Error) => stream.destroy(error))',
    replace: '.catch(() => {})',
    red: [
      'server/features/data-export/account-export.test.ts',
      "EXPT-06 ending a session whose downloads stall frees both of hana's download slots within seconds",
    ],
  },
  {
    name: 'an account that is private again goes on letting in who asked',
    file: 'server/features/people/follow-request-routes.ts',
    find: 'sql`and not ${isPrivateAccount(memberKeyParameter(me.id))}`',
    replace: 'sql``',
    red: [
      'server/features/people/private-account-races.test.ts',
      'PRIV-15 REQ-08 petra opens her account and closes it again at once, and nobody is admitted afterwards',
    ],
  },
  {
    name: 'a code ends the others to its address',
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
    find: '    if (opens)\n      await (password === undefined\n        ? assertRecentReauthentication(ctx)\n        : reauthenticateWithPassword(ctx, password))\n',
    replace: '    if (opens && password !== undefined) await reauthenticateWithPassword(ctx, password)\n',
    red: [
      privateAccounts,
      'PRIV-11 switching to public needs the password unless the session was re-authenticated recently',
    ],
  },
  {
    name: 'sessions do not slide',
    file: 'server/auth/session.ts',
    find: 'if (found.stale) {',
    replace: 'if (found.stale && !found.account_is_new) {',
    red: [
      'server/features/account/sign-up-and-sessions.test.ts',
      'a session used every day lasts longer than fourteen days',
    ],
  },
  {
    name: 'everybody is told of everybody’s files',
    file: 'server/auth/record-token-and-file-changes.ts',
    find: 'join users owner on owner.id = f.owner_id`',
    replace: 'join users owner on owner.id <> f.owner_id`',
    red: [
      accountEvents,
      'a photo causes events for its uploader on every file channel, from upload to deletion',
    ],
  },
  {
    name: 'a letter for an account is told to nobody',
    file: 'server/auth/record-token-and-file-changes.ts',
    find: 't.account_id is not null',
    replace: 't.account_id is null',
    red: [
      accountEvents,
      'a verification email causes events when requested and when used, for its owner only and without its secret',
    ],
  },
  {
    name: 'strangers use up the letters of an owner at home',
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
    name: 'each sign-in brings letters of its own',
    file: 'server/features/account/account-message-limits.ts',
    find: "owner !== null && (await limits.spend(request, 'owner-letter', `${kind}:${to}`))",
    replace: 'owner !== null',
    red: [
      'server/features/account/account-message-limits.test.ts',
      'can send only a few recovery emails to her mailbox',
    ],
  },
  {
    name: 'two-factor authentication set up after the request ends as well',
    file: 'server/features/account/two-step-removal-requests.ts',
    find: 't.verified_at <= due.asked_at',
    replace: 'true',
    red: [
      'server/features/account/two-step-verification.test.ts',
      'MFA-15 two-factor authentication that was set up again meanwhile is not removed',
    ],
  },
  {
    name: 'a closed account keeps an address that it never verified',
    file: 'server/features/account/give-account-to-verified-owner.ts',
    find: '  if (await findClosedAccountFailure(db, holder, true)) return false\n',
    replace: '',
    red: ['server/auth/claims-of-closed-accounts.test.ts', 'cannot lock her out'],
  },
  {
    name: 'a person with an unverified address keeps its owner from changing to it',
    file: 'server/features/account/email-change.ts',
    find: "    .where('email_verified', '=', true)\n    .executeTakeFirst()\n  if (holder &&",
    replace: '    .executeTakeFirst()\n  if (holder &&',
    red: [
      'server/features/account/claimed-new-addresses.test.ts',
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
    name: 'new recovery codes asked for twice at once are all left',
    file: 'server/features/account/two-step-verification-routes.ts',
    find: '    await lockAccountUnlessTwoStepsTurnedOn(db, ctx, { on })\n    await revokeTrustOfAllBrowsers',
    replace: '    await revokeTrustOfAllBrowsers',
    red: [
      'server/features/account/two-step-verification.test.ts',
      'MFA-11 of recovery codes requested concurrently in three tabs, only one set stays valid',
    ],
  },
  {
    name: 'two-factor authentication ends before the three days are over',
    file: 'server/features/account/two-step-removal-requests.ts',
    find: 'where due_at <= clock_timestamp()',
    replace: 'where due_at is not null',
    red: [
      'server/features/account/two-step-verification.test.ts',
      "MFA-15 the operator's request removes two-factor authentication after 72 hours, with an email and a log entry",
    ],
  },
  {
    name: 'a recovery in a browser that the account did not know tells nobody',
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
    name: 'the operator’s link proves the mailbox',
    file: 'server/features/account/password-reset.ts',
    find: 'const provesMailbox = token.sent_to !== null',
    replace: 'const provesMailbox = true',
    red: [
      'server/features/account/operator-commands.test.ts',
      "the operator's link ends neither two-factor authentication nor passkeys and verifies no mailbox (verified before: ",
    ],
  },
  {
    name: 'the undo of an address leaves the end of two-factor authentication that a thief had asked for',
    file: 'server/features/account/email-change.ts',
    find: 'if (await cancelTwoStepRemovalSince(db, account_id, created_at))',
    replace: 'if (await cancelTwoStepRemovalSince(db, 0, created_at))',
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
      'server/features/account/two-step-verification.test.ts',
      'MFA-14 an Appwrite client that turns two-factor authentication off is reported once by email and log',
    ],
  },
  {
    name: 'the headers of limits tell where the owner of an address has signed in',
    file: 'server/http/rate-limits.ts',
    find: 'if (refused || !untold.has(name))',
    replace: '',
    red: [
      'server/features/account/limit-headers.test.ts',
      "only the caller's own requests, whatever the address and its owner's devices",
    ],
  },
  {
    name: 'a guess is compared with a code that was sent since it was counted',
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
    name: 'a session that is open guesses at its password for ever',
    file: 'server/features/account/reauthentication.ts',
    find: 'if (isRight) await ctx.limits',
    replace: 'await ctx.limits',
    red: [
      'server/appwrite/account/rate-limits.test.ts',
      "a session allows ten password attempts an hour, and the member's other sessions are not affected",
    ],
  },
  {
    name: 'a letter repeats what a browser calls itself',
    file: 'server/email/message-templates.ts',
    find: 'browsersInLetters.find((name) => name === browser)',
    replace: '(browser ?? undefined)',
    red: [
      'server/features/account/new-device-notices.test.ts',
      'SESS-06 the email never contains the name that a browser gives itself',
    ],
  },
  {
    name: 'a browser is trusted under the mark that it had before',
    file: 'server/auth/known-browsers.ts',
    find: 'before === null || trusted ?',
    replace: 'before === null ?',
    red: [
      'server/features/account/two-step-verification.test.ts',
      'S11 trusting a browser replaces an identifier that someone planted, and the browser stays known to other accounts',
    ],
  },
  {
    name: 'a passkey proves in a session what another session asked',
    file: 'server/auth/passkeys.ts',
    find: 'and session_id is not distinct from ${sessionOf(purpose)}::bigint and expires_at',
    replace: 'and expires_at',
    red: [
      'server/features/account/passkeys.test.ts',
      'PKEY-05 a challenge works once, for its own purpose, in its own session, for ten minutes',
    ],
  },
  {
    name: 'a passkey is taken whatever it counts',
    file: 'server/auth/passkeys.ts',
    find: 'isCopy: !(await countUse(db, found.id, authenticationInfo))',
    replace: 'isCopy: (await countUse(db, found.id, authenticationInfo)) === null',
    red: [
      'server/features/account/passkeys.test.ts',
      "PKEY-05 a decreasing counter is refused and reported by email and log, unless a stranger's key signed it",
    ],
  },
  {
    name: 'a passkey of any account proves who the caller is',
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
    name: 'a passkey is no way in, so that the last one is removed',
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
    name: 'whose account is being deleted is a member as before',
    file: 'server/auth/authenticate.ts',
    find: 'if (found?.session.closing) return { ...nobody, closingCaller: found }',
    replace: '',
    red: [
      'server/features/deletion/deletion-requests.test.ts',
      'DEL-06 DEL-16 signing in before the erasure only lets hana keep, erase or export, and Appwrite clients are refused',
    ],
  },
  {
    name: 'a step of erasing is done after its first batch',
    file: 'server/features/deletion/erase-account.ts',
    find: 'return advance(tx, row, { done: rows === 0, counts })',
    replace: 'return advance(tx, row, { done: true, counts })',
    red: [
      erasing,
      'DEL-11 if erasing stops between or within batches, another node continues and counts the same',
    ],
  },
  {
    name: 'a node that starts leaves what a killed one was erasing to the next interval',
    file: 'server/concurrency/repeating-job.ts',
    find: 'timer.unref()\n  void run()',
    replace: 'timer.unref()',
    red: [erasing, 'a starting node continues immediately'],
  },
  {
    name: 'the undo of an address leaves the account closed',
    file: 'server/features/account/email-change.ts',
    find: 'await undoAccountClosureSince(db, request, account_id, created_at)',
    replace: '',
    red: [
      'server/features/account/email-link-routes.test.ts',
      'undoing the change of address cancels a deletion',
    ],
  },
  {
    name: 'who is suspended while she opens her account again is open',
    file: 'server/features/moderation/decide-case.ts',
    find: '  if (account.open) return account\n',
    replace: '  if (account) return account\n',
    red: [
      'server/features/moderation/appeals.test.ts',
      'that was closed for a while, by signing in, leaves it closed',
    ],
  },
  {
    name: 'the undo of an address opens what an operator closed',
    file: 'server/auth/account-reopening.ts',
    find: ' and e.created_at >= a.closed_at',
    replace: '',
    red: [
      'server/features/account/email-link-routes.test.ts',
      'undoing the change does not reopen an account that an operator closed, even if the member had closed it earlier',
    ],
  },
  {
    name: 'a sign-in that waits for its second step uses up the owner’s requests',
    file: 'server/http/rate-limits.ts',
    find: 'caller && !caller.session.pending ? caller.account : null',
    replace: 'caller && caller.account',
    red: [
      'server/features/account/two-step-verification.test.ts',
      "S24 a stranger's pending sign-in does not use up the member's request quota",
    ],
  },
  {
    name: 'a socket tells before the second step that an account is being deleted',
    file: 'server/auth/session.ts',
    find: 'if (found === null || found.session.pending) return null\n',
    replace: 'if (found === null) return null\n',
    red: [
      'server/features/deletion/deletion-requests.test.ts',
      'DEL-06 MFA-06 no socket reveals the deletion before the second step',
    ],
  },
  {
    name: 'strangers use up the second steps of a browser that the account knows',
    file: 'server/auth/second-factors.ts',
    find: 'session.pending ? await beganInKnownBrowser(db, session.id) : true',
    replace: 'false',
    red: [
      'server/features/account/two-step-verification.test.ts',
      'S24 MFA-09 a stranger with the password uses up no attempts of a known browser, which has ten of its own',
    ],
  },
  {
    name: 'recovery codes of another session open an account that turned two-factor authentication on since',
    file: 'server/features/account/two-step-verification-routes.ts',
    find: '    await revokeRecoveryCodesOfOtherSessions(db, accountId, caller.session.publicId)\n',
    replace: '',
    red: [
      'server/features/account/second-factors-added-by-attackers.test.ts',
      'recovery codes that a password thief created stop working when ana turns two-factor authentication on ',
    ],
  },
  {
    name: 'an authenticator that somebody left there keeps the owner from hers',
    file: 'server/auth/second-factors.ts',
    find: 'where t.verified_at is null or not exists',
    replace: 'where t.verified_at is null and not exists',
    red: [
      'server/features/account/second-factors-added-by-attackers.test.ts',
      "a thief's authenticator neither opens the account nor prevents ana from turning on her own ",
    ],
  },
  {
    name: 'a phone that alone opens an account is changed to one that nobody has proven',
    file: 'server/appwrite/account/credential-change-routes.ts',
    find: 'if (wasOpened) await',
    replace: 'if (!wasOpened) await',
    red: [
      'server/appwrite/account/account-takeover.test.ts',
      'an account with only a phone cannot change to an unverified number',
    ],
  },
  {
    name: 'strangers use up the codes of a browser that the account knows',
    file: 'server/features/account/sign-in-by-link-or-code.ts',
    find: 'owner ?? address ?? userId',
    replace: 'address ?? userId',
    red: [
      'server/appwrite/account/rate-limits.test.ts',
      'a stranger who guesses codes does not lock the member out of a known browser or network',
    ],
  },
  {
    name: 'who lost her address comes back by no phone',
    file: 'server/auth/suspended-and-closed-accounts.ts',
    find: '(allowsClosed || hasNoOtherDoor(account))',
    replace: 'allowsClosed',
    red: [
      'server/features/account/close-account.test.ts',
      'a member who lost her address to its verified owner signs in with a code to her phone, unless she is suspended',
    ],
  },
  {
    name: 'a name of the operator is written in fullwidth letters',
    file: 'server/database/migrations/0069-letters-in-other-dress.sql',
    find: 'translate(normalize(given, NFKC),',
    replace: 'translate(given,',
    red: ['server/features/account/look-alike-usernames.test.ts', 'no member can be named ＡＤＭＩＮ'],
  },
  {
    name: 'a whole session of a suspended account begins',
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
    name: 'a review is asked for by the password alone of an account with two-factor authentication',
    file: 'server/features/moderation/notice-and-appeal-routes.ts',
    find: ' && !needsSecondStep\n',
    replace: '\n',
    red: [
      'server/features/moderation/appeals.test.ts',
      "MOD-16 MOD-18 MFA-06 with two-factor authentication, luz's password does not reveal her suspension through either API; her code does",
    ],
  },
  {
    name: 'a review is asked for before the second step',
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
    name: 'letters about a deletion have no end',
    file: 'server/features/deletion/deletion-requests.ts',
    find: "    if (await consumeNoticeLimit(ctx, 'deletion-letter', { email, email_verified }, request))\n",
    replace: '    if (email_verified || !email_verified)\n',
    red: [deletionLetters, 'send at most ten messages a day to an address that nobody has proven'],
  },
  {
    name: 'notices to strangers are counted by no network',
    file: 'server/http/account-notice-limits.ts',
    find: "request !== null && !(await limits.spend(request, 'mail-network', getRateLimitSite(request.ip)))",
    replace: 'request !== null && request.ip === getRateLimitSite(request.ip) && request.ip.length === 0',
    red: [
      deletionLetters,
      'S25 a network that used up its fifty emails sends deletion and new-browser emails only to verified addresses',
    ],
  },
  {
    name: 'a session that ended changes the account that it waited for',
    file: 'server/features/account/update-caller-account.ts',
    find: '  await lockCallersAccount(db, caller)\n',
    replace: '',
    red: [endedSession, 'waits for the account row chooses no first password'],
  },
  {
    name: 'a session that ended has the account deleted that it waited for',
    file: 'server/features/deletion/deletion-requests.ts',
    find: '      await lockCallersAccount(tx.db, caller)\n',
    replace: '',
    red: [endedSession, 'waits for the account row has nothing deleted'],
  },
  {
    name: 'a refused change of address tells whose the new one is',
    file: 'server/features/account/account-message-limits.ts',
    find: "kind === 'email-change' ? null",
    replace: "kind === 'recovery' ? null",
    red: [
      'server/features/account/account-message-limits.test.ts',
      'VER-06 S25 once the quota for emails to strangers is used up, changing to a taken address is refused like changing to a free one',
    ],
  },
  {
    name: 'the undo of an address leaves two-factor authentication that a thief turned on by an app from before',
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
    name: 'the undo of an address ends her earlier two-factor authentication',
    file: 'server/features/account/email-change.ts',
    find: "event = 'mfa.create' and created_at >= ${since}",
    replace: "event = 'mfa.create' and ${since}::timestamptz is not null",
    red: ['server/features/account/email-link-routes.test.ts', 'from before stay'],
  },
]
