/**
 * Preloaded into a server (`--import`). Some calls that open, sync, move or remove files fail once `FAULTY_FILES_FROM`
 * exists. The calls do not reach the system.
 */
import fs, { existsSync } from 'node:fs'
import promises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { constants, devNull } from 'node:os'

const startsWith = process.env.FAULTY_FILES_FROM ?? ''
const folder = process.env.DATA_DIR ?? ''
const { EIO, EMFILE, ENOSPC } = constants.errno

let started = false
const failsNow = (share: number) => {
  started ||= existsSync(startsWith)
  return started && Math.random() < share
}

const failure = (code: 'EIO' | 'EMFILE' | 'ENOSPC', syscall: string) =>
  Object.assign(new Error(`${code}: planted failure, ${syscall}`), {
    code,
    errno: -{ EIO, EMFILE, ENOSPC }[code],
    syscall,
  })

const isOwn = (path: unknown) => String(path).startsWith(folder)

const { open, rename, rm } = promises
promises.open = async (...given) => {
  if (isOwn(given[0]) && failsNow(0.02)) throw failure('EMFILE', 'open')
  return open(...given)
}
promises.rename = async (...given) => {
  if (isOwn(given[0]) && failsNow(0.05)) throw failure('ENOSPC', 'rename')
  return rename(...given)
}
promises.rm = async (...given) => {
  if (isOwn(given[0]) && failsNow(0.05)) throw failure('EIO', 'unlink')
  return rm(...given)
}

// Streams open their files themselves.
const { open: openForStream } = fs
fs.open = ((...given: Parameters<typeof openForStream>) => {
  const done = given.at(-1) as (error: Error) => void
  if (isOwn(given[0]) && failsNow(0.02)) return void process.nextTick(done, failure('EMFILE', 'open'))
  return openForStream(...given)
}) as typeof openForStream

const handle = await open(devNull)
const handles = Object.getPrototypeOf(handle) as FileHandle
await handle.close()
const { sync } = handles
handles.sync = async function (this: FileHandle) {
  if (failsNow(0.05)) throw failure('EIO', 'fsync')
  return sync.call(this)
}

syncBuiltinESMExports()
