// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
/** Faults of accounts: signing in, letters and their end. */
import type { PlantedFault } from '../planted-fault.ts'

const accountEvents = 'server/appwrite/realtime/account-events.test.ts'
const privateAccounts = 'server/features/private-accounts.test.ts'
const erasing = 'server/deletion/erasing.test.ts'

export const accountFaults: PlantedFault[] = [
  {
    name: 'an account opens without a fresh proof',
    file: 'server/account/privacy-settings.ts',
    find: 'if (opens) await (password === undefined ? assertFreshProof(ctx) : proveByPassword(ctx, password))',
    replace: 'if (opens && password !== undefined) await proveByPassword(ctx, password)',
    red: [privateAccounts, 'a session without a fresh proof takes the password'],
  },
  {
    name: 'sessions do not slide',
    file: 'server/auth/session.ts',
    find: 'if (found.stale) {',
    replace: 'if (found.stale && !found.account_is_new) {',
    red: ['server/features/sign-up-and-sessions.test.ts', 'a session that is used every day goes on'],
  },
  {
    name: 'everybody is told of everybody’s files',
    file: 'server/auth/token-and-file-changes.ts',
    find: 'join users owner on owner.id = f.owner_id`',
    replace: 'join users owner on owner.id <> f.owner_id`',
    red: [accountEvents, 'is told to who uploaded it'],
  },
  {
    name: 'a letter for an account is told to nobody',
    file: 'server/auth/token-and-file-changes.ts',
    find: 't.account_id is not null',
    replace: 't.account_id is null',
    red: [accountEvents, 'a letter that verifies is told'],
  },
  {
    name: 'strangers use up the letters of an owner at home',
    file: 'server/account/account-message-limits.ts',
    find: 'isVisitorKind(kind) ? await getKnownClientKey(database.kysely, request, config, to) : null',
    replace: 'null as string | null',
    red: ['server/appwrite/account/rate-limits.test.ts', 'that strangers ask for leave her own'],
  },
  {
    name: 'two steps that were set up after they were said to be lost end as well',
    file: 'server/account/unlock-requests.ts',
    find: 't.verified_at <= due.asked_at',
    replace: 'true',
    red: ['server/account/two-steps.test.ts', 'set up anew meanwhile are not those that were lost'],
  },
  {
    name: 'two steps end before their three days are over',
    file: 'server/account/unlock-requests.ts',
    find: 'where due_at <= clock_timestamp()',
    replace: 'where due_at is not null',
    red: ['server/account/two-steps.test.ts', 'MFA-15 takes 72 hours, in which nothing is easier'],
  },
  {
    name: 'a recovery in a browser that the account did not know tells nobody',
    file: 'server/account/password-reset.ts',
    find: 'const known = await isKnownBrowser(db, readBrowserCookie(request, config), account.id)',
    replace:
      'const known = (await isKnownBrowser(db, readBrowserCookie(request, config), account.id)) || true',
    red: ['server/account/new-devices.test.ts', 'a recovery from elsewhere as well'],
  },
  {
    name: 'a letter repeats what a browser calls itself',
    file: 'server/messaging/message-templates.ts',
    find: 'browsersInLetters.find((name) => name === browser)',
    replace: '(browser ?? undefined)',
    red: ['server/account/new-devices.test.ts', 'puts no words into a letter'],
  },
  {
    name: 'a browser is trusted under the mark that it had before',
    file: 'server/auth/known-browsers.ts',
    find: 'before === null || trusted ?',
    replace: 'before === null ?',
    red: ['server/account/two-steps.test.ts', 'is trusted under another mark'],
  },
  {
    name: 'a passkey proves in a session what another session asked',
    file: 'server/auth/passkeys.ts',
    find: 'and session_id is not distinct from ${sessionOf(purpose)}::bigint and expires_at',
    replace: 'and expires_at',
    red: [
      'server/account/passkeys.test.ts',
      'a challenge works once, for what it was made, in its session, for ten minutes',
    ],
  },
  {
    name: 'a passkey is taken whatever it counts',
    file: 'server/auth/passkeys.ts',
    find: 'isCopy: !(await countUse(db, found.id, authenticationInfo))',
    replace: 'isCopy: (await countUse(db, found.id, authenticationInfo)) === null',
    red: [
      'server/account/passkeys.test.ts',
      'a counter that goes back is refused, told by letter and in the log',
    ],
  },
  {
    name: 'a passkey of any account proves who the caller is',
    file: 'server/auth/passkeys.ts',
    find: "(${purpose.for === 'sign-in'} or a.id =",
    replace: '(true or a.id =',
    red: ['server/account/passkeys.test.ts', 'a passkey is a fresh proof, for its own account alone'],
  },
  {
    name: 'a passkey is no way in, so that the last one is removed',
    file: 'server/account/passkey-routes.ts',
    find: '    await assertWayIn(db, caller.account.id)\n',
    replace: '',
    red: ['server/account/passkeys.test.ts', 'the last way in stays, of two removed at once too'],
  },
  {
    name: 'a new password leaves the passkeys of whoever knew the old one',
    file: 'server/auth/verified-contact.ts',
    find: 'await removePasskeys(db, id, { since: email_proven_at, keep })',
    replace: '0',
    red: [
      'server/account/passkeys.test.ts',
      'goes with a new password, unless the session that chooses it was opened by it',
    ],
  },
  {
    name: 'whose account is being deleted is a member as before',
    file: 'server/auth/authenticate.ts',
    find: 'if (found?.session.closing) return { ...nobody, closingCaller: found }',
    replace: '',
    red: ['server/deletion/deletion.test.ts', 'signing in meanwhile opens nothing but the choice'],
  },
  {
    name: 'a step of erasing is done after its first batch',
    file: 'server/deletion/erase-account.ts',
    find: 'return advance(tx, row, { done: rows === 0, counts })',
    replace: 'return advance(tx, row, { done: true, counts })',
    red: [erasing, 'stopped between any two batches'],
  },
  {
    name: 'a node that starts leaves what a killed one was erasing to the next interval',
    file: 'server/concurrency/repeating-job.ts',
    find: 'timer.unref()\n  void run()',
    replace: 'timer.unref()',
    red: [erasing, 'a node that starts goes on at once'],
  },
  {
    name: 'the undo of an address leaves the account closed',
    file: 'server/account/email-change.ts',
    find: 'await takeBackClosing(db, request, account_id, created_at)',
    replace: '',
    red: ['server/account/email-link-routes.test.ts', 'takes back a deletion'],
  },
  {
    name: 'the undo of an address opens what an operator closed',
    file: 'server/auth/closing-accounts.ts',
    find: ' and e.created_at >= a.closed_at',
    replace: '',
    red: ['server/account/email-link-routes.test.ts', 'opens no account that an operator closed'],
  },
  {
    name: 'strangers use up the second steps of a browser that the account knows',
    file: 'server/auth/second-factors.ts',
    find: 'session.pending ? await beganInKnownBrowser(db, session.id) : true',
    replace: 'false',
    red: ['server/account/two-steps.test.ts', 'uses up no try of a browser she has used before'],
  },
  {
    name: 'strangers use up the codes of a browser that the account knows',
    file: 'server/account/sign-in-tokens.ts',
    find: 'owner ?? address ?? userId',
    replace: 'address ?? userId',
    red: ['server/appwrite/account/rate-limits.test.ts', 'a stranger who guesses at codes of her number'],
  },
  {
    name: 'who lost her address comes back by no phone',
    file: 'server/auth/suspensions.ts',
    find: '(allowsClosed || hasNoOtherDoor(account))',
    replace: 'allowsClosed',
    red: ['server/account/close-account.test.ts', 'comes back by a code sent to her phone'],
  },
  {
    name: 'a name of the operator is written in fullwidth letters',
    file: 'server/database/migrations/0069-letters-in-other-dress.sql',
    find: 'translate(normalize(given, NFKC),',
    replace: 'translate(given,',
    red: ['server/features/look-alikes.test.ts', 'at either door: ＡＤＭＩＮ'],
  },
]
