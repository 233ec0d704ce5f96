/**
 * `npm run seed`: moves a neighbourhood into the configured instance, through the same operations members use. Times are
 * set back afterwards, so that the place looks lived in. Does nothing where the neighbours live already.
 */
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { findEmbedded } from '#server/database/embedded.ts'
import { migrate } from '#server/database/migrate.ts'
import { connect, openDatabase } from '#server/database/open.ts'
import { createLog } from '#server/log.ts'
import { emailOf, moveIn, password } from './seed/move-in.ts'
import { neighbours } from './seed/neighbourhood.ts'

// The house rules against haste are for members; a whole neighbourhood moves in at once.
const config = { ...readConfig(process.env), limits: false }
const log = createLog('warn')
// A server that runs on the data folder has the database open: it is asked, not started twice.
const running = config.databaseUrl ? undefined : findEmbedded(config.dataDir)
const database = running ? connect({ url: running, log }) : await openDatabase(config, log)
await migrate(database.directUrl, log)
const app = await buildApp({ config, log, database })
try {
  const [first] = neighbours
  if (!first || (await livesHere(first.username))) console.log('The neighbours live here already.')
  else {
    await moveIn({ door: app, pool: database.pool, say: console.log })
    console.log(`Sign in as ${emailOf(first.username)} with the password ${password}`)
  }
} finally {
  await app.close()
  await database.close()
}

async function livesHere(username: string): Promise<boolean> {
  const { rows } = await database.pool.query('select from users where username_key = lower($1)', [username])
  return rows.length > 0
}
