/**
 * `npm run emails` lists waiting, refused and expired emails. `-- retry|discard <number>` retries or discards one.
 */
import type { Kysely } from 'kysely'
import { createInstanceKey } from '#server/auth/instance-key.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import {
  discardEmail,
  listUndeliveredEmails,
  retryEmail,
  type UndeliveredEmail,
} from '#server/email/email-queue.ts'
import { getCommandOperator, recordOperatorAct } from '#server/features/admin/operator-acts.ts'
import { createServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { openConfiguredDatabase } from '../open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from '../operator-command.ts'

const describe = ({ id, kind, to, created_at, failed_at, last_error }: UndeliveredEmail) =>
  `${failed_at ? '✗ failed' : '… waiting'}  ${id}  ${created_at.toISOString()}  ${kind}  ${to}  ${last_error ?? ''}`

const missing = (id: number) =>
  new StartupError(`Email ${id} does not exist: it was sent or discarded, or the number is wrong.`)

const commands: Record<string, (db: Kysely<DatabaseTables>, id: number) => Promise<string>> = {
  async retry(db, id) {
    const outcome = await retryEmail(db, id)
    if (outcome === 'missing') throw missing(id)
    if (outcome === 'expired')
      throw new StartupError(`The link or code of email ${id} has expired. The member can ask for another.`)
    return `The server sends email ${id} within seconds.`
  },
  async discard(db, id) {
    await db.transaction().execute(async (tx) => {
      const email = await discardEmail(tx, id)
      if (email === 'missing') throw missing(id)
      if (email === 'protected')
        throw new StartupError(`Email ${id} is about the security of an account and cannot be discarded.`)
      const { kind, about } = email
      await recordOperatorAct(tx, 'email.discard', { by: getCommandOperator(), about, detail: { kind } })
    })
    return `Email ${id} is discarded.`
  },
}

await runOperatorCommand({
  usage: ['npm run emails', 'npm run emails -- retry <number>', 'npm run emails -- discard <number>'],
  async work({ words: [name, number = '', ...more] }) {
    const command = name === undefined ? undefined : commands[name]
    if (name !== undefined && (!command || !/^[1-9]\d{0,14}$/.test(number) || more.length > 0))
      throw new UsageError('Give retry or discard, and the number of an email.')
    const config = readInstanceConfig()
    const configured = await openConfiguredDatabase(config)
    const database = connectToDatabase({ url: configured.url, log: createServerLogger('warn') })
    try {
      if (command) {
        console.log(await command(database.kysely, Number(number)))
        return 0
      }
      const emails = await listUndeliveredEmails(database.kysely, createInstanceKey(config, database))
      if (emails.length === 0) console.log('No emails are waiting, and none failed in the last 14 days.')
      for (const email of emails) console.log(describe(email))
      return emails.some(({ failed_at }) => failed_at !== null) ? 1 : 0
    } finally {
      await database.close()
      await configured.stop()
    }
  },
})
