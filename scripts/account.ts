/**
 * `npm run account -- recover <username>`: makes a link by which a member who cannot sign in chooses a password
 * (docs/self-hosting.md). `npm run account -- unlock <username>` ends a member's two steps in three days. The member is told of
 * either. `npm run account -- operator <username>` makes an operator, `npm run account -- new-key` goes on without the instance's key when it is lost,
 * `npm run account -- new-host` without the passkeys of the host before.
 */
import {
  acceptNewInstanceKey,
  acceptNewPasskeyHost,
  issueRecoveryLink,
  type OperatorContext,
  requestTwoStepRemoval,
} from '#server/account/operator-commands.ts'
import { promoteToOperator } from '#server/community/promote-to-operator.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { createMailSender } from '#server/messaging/mail.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from './operator-command.ts'

/** Each returns what is printed. */
const commands: Record<string, (context: OperatorContext, username: string) => Promise<string>> = {
  recover: async (context, username) =>
    `${await issueRecoveryLink(context, username)}\nIt works once, within an hour. The log of the account tells it, and a letter where mail is configured.`,
  unlock: async (context, username) =>
    `Two steps of ${username} end after ${(await requestTwoStepRemoval(context, username)).toISOString()}, unless the link of the letter that was sent stops it. The log of the account tells it.`,
  operator: async ({ db }, username) => {
    await promoteToOperator(db, username)
    return `${username} sets the place up from now on, at /settings/community.`
  },
  'new-key': async (context) =>
    `The next start takes the key it finds. ${await acceptNewInstanceKey(context)} members set their app up anew, or use a recovery code.`,
  'new-host': async (context) =>
    `The next start takes the host of PUBLIC_URL. ${await acceptNewPasskeyHost(context)} passkeys of the one before are removed; their members sign in by other ways.`,
}

const commandsAboutMembers = ['recover', 'unlock', 'operator']

async function run(words: string[]): Promise<string> {
  const [name = '', username = ''] = words
  const command = commands[name]
  if (!command || words.length !== (commandsAboutMembers.includes(name) ? 2 : 1))
    throw new UsageError('Name a command.')
  const config = readInstanceConfig()
  const log = createServerLogger('warn')
  const configured = await openConfiguredDatabase(config)
  const database = await openDatabase({ ...config, databaseUrl: configured.url }, log)
  const mail = await createMailSender(config, log, null)
  try {
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
    return await command({ db: database.kysely, mail, publicUrl }, username)
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
    'npm run account -- new-key    when the instance’s key is lost',
    'npm run account -- new-host   when PUBLIC_URL has another host',
  ],
  async work({ words }) {
    console.log(await run(words))
    return 0
  },
})
