/**
 * Recovers accounts and keys (docs/self-hosting.md), as `npm run account -- <command>`:
 * - `recover <username>`: prints a link for a new password
 * - `unlock <username>`: ends two-factor authentication after three days; the member is notified at the start and at
 *   the end
 * - `operator <username>`: makes a member an operator
 * - `applications`: lists pending applications
 * - `approve <username>`, `decline <username> ["a sentence"]`: decides an application and sends an email
 * - `list`, `suspend`, `reopen`, `delete`: act on accounts
 * - `new-key`: accepts a new instance key if the old one is lost
 * - `new-host`: accepts a new host and removes the old one's passkeys
 */
import { createInterface } from 'node:readline/promises'
import { createInstanceKey } from '#server/auth/instance-key.ts'
import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { findKeyProblem } from '#server/doctor/find-key-problem.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import {
  acceptNewInstanceKey,
  acceptNewPasskeyHost,
  countSealedWithInstanceKey,
  issueRecoveryLink,
  type OperatorContext,
  requestTwoFactorRemoval,
} from '#server/features/account/operator-commands.ts'
import {
  deleteAccountOf,
  listAccounts,
  reopenAccountOf,
  suspendAccount,
} from '#server/features/admin/account-commands.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import {
  decideApplicationOf,
  listWaitingApplications,
  type WaitingApplication,
} from '#server/features/community/application-commands.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import { createCommunityIdentityCache } from '#server/http/community-identity.ts'
import { createServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { createTransactionalStore, type TransactionalStore } from '#server/store/store.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from './operator-command.ts'

type Instance = {
  config: Config
  url: string
  confirmed: boolean
  store: TransactionalStore
  words: string[]
}

/** @throws StartupError without a terminal */
async function confirm(word: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartupError('Nothing was changed: add --yes if there is no terminal.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`Type ${word} to continue: `)).trim() === word
  } finally {
    terminal.close()
  }
}

const commands: Record<
  string,
  (context: OperatorContext, username: string, about: Instance) => Promise<string>
> = {
  recover: async (context, username) =>
    `${await issueRecoveryLink(context, username)}\nIt works once, within an hour. The account’s log shows it, and the member gets an email if email is configured.`,
  unlock: async (context, username) => {
    const { dueAt, waits } = await requestTwoFactorRemoval(context, username)
    if (waits)
      return `The mail server has not accepted the email to ${username} yet. The running server tries again. Two-factor authentication ends 72 hours after the email is delivered; if it is never delivered, it stays on.`
    return `Two-factor authentication of ${username} ends after ${dueAt.toISOString()}, unless the member stops it with the emailed link. The account's log records it.`
  },
  operator: async ({ db }, username) => {
    await promoteToOperator(db, username)
    return `${username} is now an operator and can open /admin.`
  },
  applications: async ({ db }) => {
    const waiting = await listWaitingApplications(db)
    if (waiting.length === 0) return 'Nobody is waiting.'
    return waiting.map(describeApplication).join('\n\n')
  },
  approve: async (context, username, { store, words: [sentence = ''] }) => {
    const made = await decideApplicationOf({ ...context, store }, username, {
      decision: 'approved',
      sentence,
    })
    return `${made} is a member now.`
  },
  decline: async (context, username, { store, words: [sentence = ''] }) => {
    await decideApplicationOf({ ...context, store }, username, { decision: 'declined', sentence })
    return `The application of ${username} was declined.`
  },
  list: async ({ db }) => (await listAccounts(db)).join('\n') || 'There are no accounts.',
  suspend: async (_, username, { store, words: [length = '', reason = ''] }) => {
    await suspendAccount(store, username, length, reason)
    return `${username} is suspended ${length === 'forever' ? 'for good' : `for ${length} days`}. Signing in shows the reason and offers a review.`
  },
  reopen: async (_, username, { store }) => {
    await reopenAccountOf(store, username)
    return `${username} can sign in again: the suspension has ended.`
  },
  delete: async ({ emails, publicUrl }, username, { config, store, confirmed }) => {
    const graceDays = config.deletionGraceDays
    console.log(
      `This closes the account of ${username} now and erases it after ${graceDays} days. Until then the member can cancel, unless the account is suspended.`,
    )
    if (!confirmed && !(await confirm(username))) throw new StartupError('Nothing was changed.')
    const { eraseAfter } = await deleteAccountOf({ store, emails, publicUrl, graceDays }, username)
    return `The account of ${username} is closed and will be erased after ${eraseAfter.toISOString()}.`
  },
  'new-key': async (context, _, { config, url, confirmed }) => {
    if ((await findKeyProblem(config, url)) === null)
      throw new StartupError('The key here already is the instance’s, so nothing was changed.')
    const { apps, invitations, browsers, emails } = await countSealedWithInstanceKey(context)
    console.log(
      `Continuing with another key cannot be undone. It ends:\n  ${apps} authenticator apps (recovery codes keep working)\n  ${invitations} invitations\n  ${browsers} browsers' push notifications\n  ${emails} emails that wait for the mail server\n  links to data exports and to end summary emails\nIf another node, DATA_DIR/secret.key or SECRET_KEY still has the right key, use that one.`,
    )
    if (!confirmed && !(await confirm('new-key'))) throw new StartupError('Nothing was changed.')
    await acceptNewInstanceKey(context)
    return 'The next start uses the key that it finds.'
  },
  'new-host': async (context) =>
    `The next start uses the host of PUBLIC_URL. ${await acceptNewPasskeyHost(context)} passkeys of the previous host were removed; their owners sign in another way.`,
}

function describeApplication(application: WaitingApplication): string {
  const { username, name, answer, created_at, voucher_named, vouched, email_confirmed } = application
  const word = vouched === null ? 'no answer yet' : vouched ? 'knows her' : 'does not know her'
  return [
    `${username} (${name}), ${created_at.toISOString()}`,
    ...answer.split('\n').map((line) => `  ${line}`),
    ...(email_confirmed ? [] : ['  email address not confirmed']),
    ...(voucher_named === null ? [] : [`  names ${voucher_named}: ${word}`]),
  ].join('\n')
}

/** How many words may follow a command; by default none. */
const wordCounts: Record<string, readonly [least: number, most: number]> = {
  recover: [1, 1],
  unlock: [1, 1],
  operator: [1, 1],
  approve: [1, 2],
  decline: [1, 2],
  suspend: [3, 3],
  reopen: [1, 1],
  delete: [1, 1],
}

async function run(words: string[], confirmed: boolean): Promise<string> {
  const [name = '', username = ''] = words
  const command = commands[name]
  const [least, most] = wordCounts[name] ?? [0, 0]
  if (!command || words.length < 1 + least || words.length > 1 + most) throw new UsageError('Name a command.')
  const config = readInstanceConfig()
  const log = createServerLogger('warn')
  const configured = await openConfiguredDatabase(config)
  const database = await openDatabase({ ...config, databaseUrl: configured.url }, log)
  const instanceKey = createInstanceKey(config, database)
  const emails = await createEmailSender(
    config,
    log,
    null,
    { database, instanceKey },
    createCommunityIdentityCache(database.kysely),
  )
  try {
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
    return await command({ db: database.kysely, emails, publicUrl }, username, {
      config,
      url: configured.url,
      confirmed,
      store: createTransactionalStore(database, collectionEffects, () => {}),
      words: words.slice(2),
    })
  } finally {
    await emails.drain()
    await database.close()
    await configured.stop()
  }
}

await runOperatorCommand({
  usage: [
    'npm run account -- recover <username>',
    'npm run account -- unlock <username>',
    'npm run account -- operator <username>',
    'npm run account -- applications',
    'npm run account -- approve <username> ["<message>"]',
    'npm run account -- decline <username> ["<message>"]',
    'npm run account -- list',
    'npm run account -- suspend <username> <1|3|7|30|forever> "<reason>"',
    'npm run account -- reopen <username>',
    'npm run account -- delete <username>    asks for confirmation, except with --yes',
    'npm run account -- new-key    if the instance’s key is lost; asks, except with --yes',
    'npm run account -- new-host   if PUBLIC_URL has another host',
  ],
  flags: ['yes'],
  async work({ words, flags }) {
    console.log(await run(words, flags.has('yes')))
    return 0
  },
})
