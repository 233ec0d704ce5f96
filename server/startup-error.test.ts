import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acquireFolderLock } from './database/folder-lock.ts'
import { describeStartupError, StartupError } from './startup-error.ts'

test('OPS-12 an error about a file of another account is described in one sentence, and a bug keeps its stack', () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), {
    code: 'EACCES',
    path: '/srv/juntas/x',
  })
  expect(describeStartupError(denied)).toBe(
    'The current user cannot access /srv/juntas/x: run this as its owner, or change its owner.',
  )
  const bug = new TypeError('undefined is not a function')
  expect(describeStartupError(bug)).toBe(bug)
})

test('OPS-12 an error about a read-only data folder is described in one sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'juntas-lock-'))
  try {
    const lock = () => acquireFolderLock(join(folder, 'of-another', 'postgres.lock'))
    expect(lock).toThrow(StartupError)
    expect(lock).toThrow(`The current user cannot write to ${join(folder, 'of-another')}:`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
