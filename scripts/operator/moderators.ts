/** `npm run moderators -- add|remove <username>` and `-- list`: who looks at reports (docs/self-hosting.md). */
import { userInfo } from 'node:os'
import type { Kysely } from 'kysely'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { createServerLogger } from '#server/log.ts'
import { addModerator, listModerators, removeModerator } from '#server/moderation/moderators.ts'
import { describeStartupError, StartupError } from '#server/startup-error.ts'
import { openConfiguredDatabase } from '../open-configured-database.ts'

const operator = userInfo().username.slice(0, 64)

/** Each returns what is printed. */
const commands: Record<string, (db: Kysely<DatabaseTables>, username: string) => Promise<string>> = {
  async add(db, username) {
    await addModerator(db, username, operator)
    return `${username} is a moderator.`
  },
  async remove(db, username) {
    await removeModerator(db, username, operator)
    return `${username} is no moderator any more.`
  },
  async list(db) {
    const moderators = await listModerators(db)
    if (moderators.length === 0) return 'There are no moderators: nobody reads what is reported.'
    return moderators.map(({ username, name }) => `@${username} ${name}`).join('\n')
  },
}

const usage =
  'Say what to do: npm run moderators -- add <username>, npm run moderators -- remove <username>, npm run moderators -- list'

async function run(name: string, username: string): Promise<string> {
  const command = commands[name]
  if (!command || (name !== 'list' && username === '')) throw new StartupError(usage)
  const config = readConfig(process.env)
  const configured = await openConfiguredDatabase(config)
  const database = await openDatabase({ ...config, databaseUrl: configured.url }, createServerLogger('warn'))
  try {
    return await command(database.kysely, username)
  } finally {
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
