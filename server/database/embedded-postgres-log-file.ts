import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const ROTATE_BYTES = 2 * 1024 * 1024
const LIMIT_BYTES = 16 * 1024 * 1024
const CHECK_MS = 60_000

/** Keeps one old log file, and empties a log file larger than 16 MB. */
export function openPostgresLog(path: string): {
  descriptor: number
  lastFatal(): string
  close(): void
} {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(path, `${path}.old`)
  const descriptor = openSync(path, 'a', 0o600)
  const limiter = setInterval(() => {
    if (fstatSync(descriptor).size > LIMIT_BYTES) ftruncateSync(descriptor)
  }, CHECK_MS).unref()
  return {
    descriptor,
    lastFatal: () =>
      /.*(?:FATAL|PANIC): +(.*)/.exec(readFileSync(path, 'utf8').split('\n').reverse().join('\n'))?.[1] ?? '',
    close() {
      clearInterval(limiter)
      closeSync(descriptor)
    },
  }
}
