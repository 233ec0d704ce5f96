import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { assertBackupRecipients } from '../backup/backup-encryption.ts'
import { isBackupDue } from '../backup/scheduled-backup.ts'
import { type RepeatingJob, startRepeatingJob } from '../concurrency/repeating-job.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import type { ServerLogger } from '../log.ts'

const intervalMs = 30_000

/**
 * @param ctx.run runs a backup; by default in a separate process
 * @returns null without BACKUP_SCHEDULE
 * @throws StartupError for an invalid recipient
 */
export async function startBackupSchedule(ctx: {
  config: Config
  database: Database
  log: ServerLogger
  run?(closing: AbortSignal): Promise<void>
}): Promise<RepeatingJob | null> {
  const { config, database, log, run = runInProcess } = ctx
  const pattern = config.backupSchedule
  if (!pattern) return null
  if (config.backupRecipients.length > 0) await assertBackupRecipients(config.backupRecipients)
  return startRepeatingJob({
    intervalMs,
    async work(closing) {
      if (await isBackupDue(database.pool, pattern, new Date())) await run(closing)
    },
    onError: (error) => log.error({ err: error }, 'the backup schedule was interrupted'),
  })
}

async function runInProcess(closing: AbortSignal): Promise<void> {
  const child = fork(new URL('./scheduled-backup-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // Linux sets the priority per thread, and threads that start later inherit it.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const stop = () => child.kill()
  closing.addEventListener('abort', stop)
  // The process records and logs its own failure.
  await once(child, 'exit')
  closing.removeEventListener('abort', stop)
}
