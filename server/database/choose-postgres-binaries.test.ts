/** Fake folders represent the PostgreSQL packages of a system. The last test runs real programs. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServerLogger } from '#server/log.ts'
import { choosePostgres, packagedPostgres } from './choose-postgres-binaries.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { findEmbeddedPostgresBinaries } from './embedded-postgres-binaries.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'juntas-choose-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const places = () => [{ folder: join(root, 'lib'), name: /^\d+$/ }]

/** Creates programs that only print their version. @returns the bin folder */
function install(
  major: number,
  { contrib = true, says = `postgres (PostgreSQL) ${major}.3 (Debian)` } = {},
): string {
  const home = join(root, 'lib', String(major))
  const bin = join(home, 'bin')
  const extensions = join(home, 'share', 'extension')
  for (const folder of [bin, extensions]) mkdirSync(folder, { recursive: true })
  for (const program of ['initdb', 'postgres']) {
    writeFileSync(join(bin, program), `#!/bin/sh\necho "${says}"\n`)
    chmodSync(join(bin, program), 0o755)
  }
  if (contrib)
    for (const name of ['pg_trgm', 'btree_gin']) writeFileSync(join(extensions, `${name}.control`), '')
  return bin
}

/** @param major the version of the folder's database, if it has one */
function dataFolder(major?: number): string {
  const dataDir = join(root, 'data')
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  if (major) writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${major}\n`)
  return dataDir
}

const choose = (dataDir: string, setting?: string) => choosePostgres({ dataDir, setting, places: places() })
const packaged = findEmbeddedPostgresBinaries()

describe.skipIf(process.platform === 'win32')('without POSTGRES_BIN', () => {
  test('a new instance uses the newest system PostgreSQL, from version 17', () => {
    install(15)
    install(17)
    install(18)
    expect(choose(dataFolder())).toEqual({ folder: join(root, 'lib/18'), major: '18', packaged: false })
  })

  test('an instance stays on the major version that created its database', () => {
    install(17)
    install(18)
    expect(choose(dataFolder(17))).toMatchObject({ major: '17', packaged: false })
  })

  test.each([
    ['there is none', () => {}],
    ['it is too old', () => install(15)],
    ['it has another major version', () => install(17)],
    ['its contrib extensions are missing', () => install(18, { contrib: false })],
    ['it does not run', () => install(18, { says: 'error while loading shared libraries' })],
  ])('the packaged PostgreSQL is used if the system PostgreSQL does not fit: %s', (_why, prepare) => {
    prepare()
    expect(choose(dataFolder(Number(packaged.major)))).toEqual(packaged)
  })
})

describe.skipIf(process.platform === 'win32')('with POSTGRES_BIN', () => {
  test('the PostgreSQL in the folder POSTGRES_BIN is used, and the value `packaged` ignores the system PostgreSQL', () => {
    const bin = install(17)
    install(18)
    expect(choose(dataFolder(), bin)).toMatchObject({ major: '17', packaged: false })
    expect(choose(dataFolder(), packagedPostgres)).toEqual(packaged)
  })

  test.each([
    ['has no programs', () => join(root, 'nowhere'), /has no initdb and postgres that run/],
    ['is too old', () => install(15), /has PostgreSQL 15; Juntas needs 17 or newer/],
    ['is not the database’s', () => install(17), /has PostgreSQL 17, and the database was made by 18/],
    ['has no contrib', () => install(18, { contrib: false }), /lacks the extensions pg_trgm and btree_gin/],
  ])('a folder that %s is refused with an explanation', (_why, bin, words) => {
    const folder = bin()
    expect(() => choose(dataFolder(18), folder)).toThrow(words)
  })
})

test.skipIf(process.platform === 'win32')(
  'a database made by the packaged PostgreSQL runs on a system PostgreSQL of its version, and back',
  async () => {
    const home = join(root, 'lib', packaged.major)
    cpSync(packaged.folder, home, { recursive: true, verbatimSymlinks: true })
    // Debian and the packaged PostgreSQL keep extensions in different folders.
    mkdirSync(join(home, 'share', 'extension'), { recursive: true })
    for (const name of ['pg_trgm', 'btree_gin'])
      writeFileSync(join(home, 'share', 'extension', `${name}.control`), '')
    chmodSync(root, 0o755)
    const dataDir = join(root, 'data')
    const log = createServerLogger('silent')
    const ask = async (text: string, found = choose(dataDir)) => {
      const server = await startEmbeddedPostgres({ dataDir, log, durable: false, found })
      const client = new Client({ connectionString: server.url })
      await client.connect()
      const { rows } = await client.query(text)
      await client.end()
      await server.stop()
      return rows
    }
    await ask('create table notes as select 1 as number', packaged)
    expect(choose(dataDir)).toEqual({ folder: home, major: packaged.major, packaged: false })
    expect(await ask('insert into notes values (2) returning number')).toEqual([{ number: 2 }])
    expect(await ask('select number from notes order by 1', packaged)).toEqual([{ number: 1 }, { number: 2 }])
  },
)
