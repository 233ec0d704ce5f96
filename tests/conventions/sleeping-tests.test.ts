/**
 * A sleep is too short on a slow machine. Tests wait for a condition (`waitFor`, `waitForLockWaits`), or control the
 * clock (`stopClock`).
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const files = globSync(
  '{api-client,bench,contract,scripts,server,tests,web}/**/*.{test.ts,test.tsx,spec.ts}',
  {
    cwd: root,
  },
)
const sleep =
  /waitForTimeout\(|setTimeout as \w+|Promise(?:<\w+>)?\(\(\w+\) => (?:void )?setTimeout\(\w+, *[^)]/

/** No outcome of these tests depends on the length of a sleep. */
const kills = 'kills a server at moments that are the same in every run'
const reasons: Readonly<Record<string, string>> = {
  'server/appwrite/storage/upload-crash.test.ts': kills,
  'server/images/image-processor.test.ts': 'the program of a worker that waits',
  'tests/durability/account-deletion.test.ts': kills,
  'tests/durability/file-move.test.ts': 'the pace of the members’ requests',
  'tests/durability/post-publishing.test.ts': kills,
  'tests/durability/server-kill.test.ts': kills,
}

test('no test sleeps without a listed reason', () => {
  expect(files.length).toBeGreaterThan(300)
  const sleeping = files.filter((path) => sleep.test(readFileSync(join(root, path), 'utf8')))
  expect(sleeping.toSorted()).toEqual(Object.keys(reasons))
})
