/** `npm run moderators -- add|remove|restore <username>` and `-- list` manage moderators (docs/self-hosting.md). */
import { userInfo } from 'node:os'
import type { Kysely } from 'kysely'
import { openDatabase } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import {
  addModerator,
  listModerators,
  removeModerator,
  restoreModerator,
} from '#server/features/moderation/moderators.ts'
import { createServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { createTransactionalStore, type TransactionalStore } from '#server/store/store.ts'
import { openConfiguredDatabase } from '../open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from '../operator-command.ts'

const operator = userInfo().username.slice(0, 64)

const commands: Record<
  string,
  (db: Kysely<DatabaseTables>, username: string, store: TransactionalStore) => Promise<string>
> = {
  async add(db, username) {
    await addModerator(db, username, operator)
    return `${username} is a moderator.`
  },
  async remove(db, username) {
    if (!(await removeModerator(db, username, operator)))
      throw new StartupError(`${username} is not a moderator, so nothing was changed.`)
    return `${username} is no longer a moderator.`
  },
  async restore(_db, username, store) {
    await restoreModerator(store, username, operator)
    return `${username} can sign in again: the suspension is lifted.`
  },
  async list(db) {
    const moderators = await listModerators(db)
    if (moderators.length === 0) return 'There are no moderators, so nobody reviews reports.'
    return moderators.map(({ username, name }) => `@${username} ${name}`).join('\n')
  },
}

async function run(words: string[]): Promise<string> {
  const [name = '', username = ''] = words
  const command = commands[name]
  if (!command || words.length !== (name === 'list' ? 1 : 2)) throw new UsageError('Name a command.')
  const config = readInstanceConfig()
  const configured = await openConfiguredDatabase(config)
  const database = await openDatabase({ ...config, databaseUrl: configured.url }, createServerLogger('warn'))
  try {
    const store = createTransactionalStore(database, collectionEffects, () => {})
    return await command(database.kysely, username, store)
  } finally {
    await database.close()
    await configured.stop()
  }
}

await runOperatorCommand({
  usage: [
    'npm run moderators -- add <username>',
    'npm run moderators -- remove <username>',
    'npm run moderators -- restore <username or email>',
    'npm run moderators -- list',
  ],
  async work({ words }) {
    console.log(await run(words))
    return 0
  },
})
