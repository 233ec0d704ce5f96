/**
 * `npm run seed`: fills the configured instance with demo members, posts, groups and conversations, through the operations that
 * members use, and backdates the posts. Does nothing where the demo members exist.
 */
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { findEmbeddedPostgresUrl } from '#server/database/embedded-postgres.ts'
import { migrate } from '#server/database/migrate.ts'
import { connectToDatabase, openDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { buildDemoEmail, createDemoData, demoPassword } from './seed/create-demo-data.ts'
import { demoMembers } from './seed/demo-data.ts'

if (process.argv.length > 2) {
  console.error(
    'npm run seed takes no arguments: it adds the demo members to the instance that the settings name.',
  )
  process.exit(1)
}
// Rate limits are off: the demo data comes at once.
const config = { ...readConfig(process.env), limits: false }
const log = createServerLogger('warn')
// Connects to the database of a server that runs on the data folder, which cannot be started twice.
const running = config.databaseUrl ? undefined : findEmbeddedPostgresUrl(config.dataDir)
const database = running ? connectToDatabase({ url: running, log }) : await openDatabase(config, log)
await migrate(database.directUrl, log)
const app = await buildApp({ config, log, database })
try {
  const [first] = demoMembers
  if (!first || (await livesHere(first.username))) console.log('The demo members exist already.')
  else {
    await createDemoData({ door: app, pool: database.pool, say: console.log })
    console.log(`Sign in as ${buildDemoEmail(first.username)} with the password ${demoPassword}`)
  }
} finally {
  await app.close()
  await database.close()
}

async function livesHere(username: string): Promise<boolean> {
  const { rows } = await database.pool.query('select from users where username_key = lower($1)', [username])
  return rows.length > 0
}
