import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const ROTATE_BYTES = 2 * 1024 * 1024
const LIMIT_BYTES = 16 * 1024 * 1024
const CHECK_MS = 60_000

/** The file that PostgreSQL writes its own lines to: one old file is kept, and no disk is filled by a noisy day. */
export function openServerLog(path: string): {
  descriptor: number
  /** Why PostgreSQL ended, in its words; empty when it did not say. */
  lastFatal(): string
  close(): void
} {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(path, `${path}.old`)
  const descriptor = openSync(path, 'a', 0o600)
  const bounded = setInterval(() => {
    if (fstatSync(descriptor).size > LIMIT_BYTES) ftruncateSync(descriptor)
  }, CHECK_MS).unref()
  return {
    descriptor,
    lastFatal: () =>
      /.*(?:FATAL|PANIC): +(.*)/.exec(readFileSync(path, 'utf8').split('\n').reverse().join('\n'))?.[1] ?? '',
    close() {
      clearInterval(bounded)
      closeSync(descriptor)
    },
  }
}
