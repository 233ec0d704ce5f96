/**
 * `npm run account -- recover <username>`: makes a link by which a member who cannot sign in chooses a password
 * (docs/self-hosting.md). The member is told. `npm run account -- new-key` goes on without the instance's key when it is lost.
 */
import {
  acceptNewInstanceKey,
  issueRecoveryLink,
  type OperatorContext,
} from '#server/account/operator-commands.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { createMailSender } from '#server/messaging/mail.ts'
import { describeStartupError, StartupError } from '#server/startup-error.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'

/** Each returns what is printed. */
const commands: Record<string, (context: OperatorContext, username: string) => Promise<string>> = {
  recover: async (context, username) =>
    `${await issueRecoveryLink(context, username)}\nIt works once, within an hour. The log of the account tells it, and a letter where mail is configured.`,
  'new-key': async (context) =>
    `The next start takes the key it finds. ${await acceptNewInstanceKey(context)} members set their app up anew, or use a recovery code.`,
}

const usage =
  'Say what to do: npm run account -- recover <username>, or npm run account -- new-key when the instance’s key is lost'

async function run(name: string, username: string): Promise<string> {
  const command = commands[name]
  if (!command || (name === 'recover') !== (username !== '')) throw new StartupError(usage)
  const config = readConfig(process.env)
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

try {
  console.log(await run(process.argv[2] ?? '', process.argv[3] ?? ''))
} catch (error) {
  console.error(describeStartupError(error))
  process.exitCode = 1
}
