/**
 * Account recovery and keys (docs/self-hosting.md):
 * - `npm run account -- recover <username>`: creates a link for a new password
 * - `npm run account -- unlock <username>`: ends two-factor authentication in three days; the member is
 *   notified of both
 * - `npm run account -- operator <username>`: makes an operator
 * - `npm run account -- applications`: lists who waits to join
 * - `npm run account -- approve <username>`, `decline <username> ["a sentence"]`: decides, with an email
 * - `npm run account -- new-key`: continues without a lost instance key
 * - `npm run account -- new-host`: continues without the old host's passkeys
 */
import { createInterface } from 'node:readline/promises'
import { createInstanceKey } from '#server/auth/instance-key.ts'
import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { findKeyProblem } from '#server/doctor/find-key-problem.ts'
import { createMailSender } from '#server/email/mail.ts'
import {
  acceptNewInstanceKey,
  acceptNewPasskeyHost,
  countSealedWithInstanceKey,
  issueRecoveryLink,
  type OperatorContext,
  requestTwoStepRemoval,
} from '#server/features/account/operator-commands.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import {
  decideApplicationOf,
  listWaitingApplications,
  type WaitingApplication,
} from '#server/features/community/application-commands.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
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
  /** For the email about a decision. */
  sentence: string
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new StartupError('Nothing was changed: add --yes where nobody can be asked.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question('Type new-key to go on: ')).trim() === 'new-key'
  } finally {
    terminal.close()
  }
}

/** Each returns its output. */
const commands: Record<
  string,
  (context: OperatorContext, username: string, about: Instance) => Promise<string>
> = {
  recover: async (context, username) =>
    `${await issueRecoveryLink(context, username)}\nIt works once, within an hour. The log of the account tells it, and a letter where mail is configured.`,
  unlock: async (context, username) => {
    const { dueAt, waits } = await requestTwoStepRemoval(context, username)
    if (waits)
      return `The mail server has not taken the email to ${username} yet. The running server tries again; two steps end 72 hours after the email was delivered, and never if it cannot be.`
    return `Two-factor authentication of ${username} ends after ${dueAt.toISOString()}, unless the member stops it with the emailed link. The account's log records it.`
  },
  operator: async ({ db }, username) => {
    await promoteToOperator(db, username)
    return `${username} sets the place up from now on, at /admin.`
  },
  applications: async ({ db }) => {
    const waiting = await listWaitingApplications(db)
    if (waiting.length === 0) return 'Nobody is waiting.'
    return waiting.map(describeApplication).join('\n\n')
  },
  approve: async (context, username, { store, sentence }) => {
    const made = await decideApplicationOf({ ...context, store }, username, {
      decision: 'approved',
      sentence,
    })
    return `${made} is a member now.`
  },
  decline: async (context, username, { store, sentence }) => {
    await decideApplicationOf({ ...context, store }, username, { decision: 'declined', sentence })
    return `The application of ${username} was declined.`
  },
  'new-key': async (context, _, { config, url, confirmed }) => {
    if ((await findKeyProblem(config, url)) === null)
      throw new StartupError('The key here is the instance’s own, so nothing was changed.')
    const { apps, invitations, browsers } = await countSealedWithInstanceKey(context)
    console.log(
      `Going on with another key cannot be undone. It ends:\n  ${apps} authenticator apps (recovery codes go on)\n  ${invitations} invitations\n  ${browsers} browsers' push notifications\n  links to data exports and to end summary emails\nIf another node, DATA_DIR/secret.key or SECRET_KEY still has the right key, use that one.`,
    )
    if (!confirmed && !(await confirm())) throw new StartupError('Nothing was changed.')
    await acceptNewInstanceKey(context)
    return 'The next start takes the key that it finds.'
  },
  'new-host': async (context) =>
    `The next start takes the host of PUBLIC_URL. ${await acceptNewPasskeyHost(context)} passkeys of the one before are removed; their members sign in by other ways.`,
}

function describeApplication(application: WaitingApplication): string {
  const { username, name, answer, created_at, voucher_named, vouched } = application
  const word = vouched === null ? 'no answer yet' : vouched ? 'knows her' : 'does not know her'
  return [
    `${username} (${name}), ${created_at.toISOString()}`,
    ...answer.split('\n').map((line) => `  ${line}`),
    ...(voucher_named === null ? [] : [`  names ${voucher_named}: ${word}`]),
  ].join('\n')
}

const commandsAboutMembers = ['recover', 'unlock', 'operator', 'approve', 'decline']
const commandsWithSentence = ['approve', 'decline']

async function run(words: string[], confirmed: boolean): Promise<string> {
  const [name = '', username = '', sentence = ''] = words
  const command = commands[name]
  const least = commandsAboutMembers.includes(name) ? 2 : 1
  if (!command || words.length < least || words.length > least + Number(commandsWithSentence.includes(name)))
    throw new UsageError('Name a command.')
  const config = readInstanceConfig()
  const log = createServerLogger('warn')
  const configured = await openConfiguredDatabase(config)
  const database = await openDatabase({ ...config, databaseUrl: configured.url }, log)
  const instanceKey = createInstanceKey(config, database)
  const mail = await createMailSender(config, log, null, { database, instanceKey })
  try {
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
    return await command({ db: database.kysely, mail, publicUrl }, username, {
      config,
      url: configured.url,
      confirmed,
      sentence,
      store: createTransactionalStore(database, collectionEffects, () => {}),
    })
  } finally {
    await mail.drain()
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
    'npm run account -- approve <username> ["a sentence"]',
    'npm run account -- decline <username> ["a sentence"]',
    'npm run account -- new-key    when the instance’s key is lost; --yes does not ask',
    'npm run account -- new-host   when PUBLIC_URL has another host',
  ],
  flags: ['yes'],
  async work({ words, flags }) {
    console.log(await run(words, flags.has('yes')))
    return 0
  },
})
