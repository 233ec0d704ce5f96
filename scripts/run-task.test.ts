import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'juntas-setup-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function setUp(task: string, env: Record<string, string> = {}) {
  const script = join(import.meta.dirname, 'run-task.mjs')
  return spawnSync(process.execPath, [script, task], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
    encoding: 'utf8',
  })
}

test('an unknown task name fails with a list of the known tasks', () => {
  const { status, stderr } = setUp('fly')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^There is no task "fly": start, .*test.*\.\n$/)
})

test('the task runner skips installed packages and returns the exit code of the task', () => {
  const { status, stdout, stderr } = setUp('invariants', { PORT: '70000' })
  expect(status).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^These settings are wrong:\n {2}- PORT: /)
})
