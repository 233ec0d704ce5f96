import { once } from 'node:events'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { listen } from '#server/http/listen.ts'
import { createServerLogger } from '#server/log.ts'
import { runningVersion } from '#server/version.ts'

const config = readConfig(process.env)
const log = createServerLogger(config.logLevel)
const stopRequested = once(process, 'SIGTERM')
const database = await openDatabase(config, log)
await migrate(database.directUrl, log)
const app = await buildApp({ config, log, database, appwrite: null })
const { port, close } = await listen(app, config)
console.log(`Juntas ${runningVersion.version} is ready at ${config.publicUrl ?? `http://localhost:${port}`}`)
await stopRequested
await close()
await database.close()
process.exit(0)
