/**
 * `npm run seed` refuses production, because the demo members' password is public. Asks before adding them beside
 * other members.
 */
import { createInterface } from 'node:readline/promises'
import { buildApp } from '#server/app.ts'
import { findEmbeddedPostgresUrl } from '#server/database/embedded-postgres.ts'
import { migrate } from '#server/database/migrate.ts'
import { connectToDatabase, type Database, openDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { assertSettingsMatchInstance } from '#server/ops/assert-settings-match-instance.ts'
import { describeStartupError, StartupError } from '#server/startup-error.ts'
import { readInstanceConfig } from './operator-command.ts'
import { buildDemoEmail, createDemoData, demoPassword } from './seed/create-demo-data.ts'
import { demoMembers } from './seed/demo-data.ts'

async function run(args: string[]): Promise<void> {
  if (args.some((argument) => argument !== '--yes'))
    throw new StartupError('npm run seed takes one argument: --yes adds the demo members without asking.')
  const settings = readInstanceConfig()
  if (settings.production)
    throw new StartupError(
      'npm run seed is for trying Juntas out. It does not run in production, because the password of its members is public.',
    )
  // Rate limits and registration rules do not apply to the operator. No emails are sent, because the demo
  // members' addresses do not exist.
  const { smtpUrl: _email, smsUrl: _sms, ...unsent } = settings
  const config = { ...unsent, limits: false, registration: 'open' as const }
  const log = createServerLogger('warn')
  // A running server's database cannot be started twice.
  const running = config.databaseUrl ? undefined : findEmbeddedPostgresUrl(config.dataDir)
  const database = running ? connectToDatabase({ url: running, log }) : await openDatabase(config, log)
  try {
    await assertSettingsMatchInstance(config, database)
    await migrate(database.directUrl, log)
    const app = await buildApp({ config, log, database })
    try {
      const [first] = demoMembers
      if (!first || (await isUsernameTaken(database, first.username))) {
        console.log('The demo members exist already.')
        return
      }
      await confirmBesideOthers(await countAccounts(database), args.includes('--yes'))
      await createDemoData({ api: app, pool: database.pool, say: console.log })
      console.log(`Sign in as ${buildDemoEmail(first.username)} with the password ${demoPassword}`)
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
  }
}

/** @throws StartupError if other accounts exist and the operator has not agreed */
async function confirmBesideOthers(others: number, agreed: boolean): Promise<void> {
  if (others === 0 || agreed) return
  const warning = `This instance has ${others === 1 ? 'an account' : `${others} accounts`}. The demo adds ${demoMembers.length} members with a public password: ${demoPassword}.`
  if (process.stdin.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await terminal.question(`${warning}\nAdd them? [y/N] `)
    terminal.close()
    if (/^y(es)?$/i.test(answer.trim())) return
    throw new StartupError('Nothing was added.')
  }
  throw new StartupError(`${warning} To add them, run npm run seed -- --yes.`)
}

async function isUsernameTaken({ pool }: Database, username: string): Promise<boolean> {
  const { rows } = await pool.query('select from users where username_key = lower($1)', [username])
  return rows.length > 0
}

async function countAccounts({ pool }: Database): Promise<number> {
  return (await pool.query('select count(*)::int as count from accounts')).rows[0].count
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(describeStartupError(error))
  process.exitCode = 1
}
