import { runScheduledBackup } from '#server/backup/scheduled-backup.ts'
import { readConfig } from '#server/config.ts'
import { createServerLogger } from '#server/log.ts'
import { readSettings } from './settings-file.ts'

const config = readConfig(readSettings(process.env).values)
const log = createServerLogger(config.logLevel)
try {
  const result = await runScheduledBackup(config, log)
  process.exitCode = result === 'failed' ? 1 : 0
} catch (error) {
  log.error({ err: error }, 'the scheduled backup could not begin')
  process.exitCode = 1
}
