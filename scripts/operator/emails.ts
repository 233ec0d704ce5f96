/** `npm run emails`: lists waiting, refused and expired emails. */
import { createInstanceKey } from '#server/auth/instance-key.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { listUndeliveredEmails, type UndeliveredEmail } from '#server/email/email-queue.ts'
import { createServerLogger } from '#server/log.ts'
import { openConfiguredDatabase } from '../open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from '../operator-command.ts'

const describe = ({ kind, to, created_at, failed_at, last_error }: UndeliveredEmail) =>
  `${failed_at ? '✗ failed' : '… waits'}  ${created_at.toISOString()}  ${kind}  ${to}  ${last_error ?? ''}`

await runOperatorCommand({
  usage: ['npm run emails'],
  async work({ words }) {
    if (words.length > 0) throw new UsageError('This command takes no arguments.')
    const config = readInstanceConfig()
    const configured = await openConfiguredDatabase(config)
    const database = connectToDatabase({ url: configured.url, log: createServerLogger('warn') })
    try {
      const emails = await listUndeliveredEmails(database.kysely, createInstanceKey(config, database))
      if (emails.length === 0) console.log('No email waits, and none failed in the last 14 days.')
      for (const email of emails) console.log(describe(email))
      return emails.some(({ failed_at }) => failed_at !== null) ? 1 : 0
    } finally {
      await database.close()
      await configured.stop()
    }
  },
})
