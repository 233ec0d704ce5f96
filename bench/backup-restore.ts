/**
 * `node bench/backup-restore.ts` measures backup, verification and restore. `BENCH_MEMBERS`, `BENCH_POSTS` and
 * `BENCH_PICTURE_KB` set the size. Needs about four times the pictures as temporary space.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { startServer } from '#scripts/harness/server-process.ts'
import { startMemberTraffic } from '#scripts/harness/traffic-generator.ts'
import { backupTablePath } from '#server/backup/manifest.ts'
import { loadDataset } from './environment/load-dataset.ts'

const members = Number(process.env.BENCH_MEMBERS ?? 20_000)
const posts = Number(process.env.BENCH_POSTS ?? 50_000)
const kilobytes = Number(process.env.BENCH_PICTURE_KB ?? 150)
const crowd = { pairs: 4, readers: 2, uploaders: 1 }

const folder = mkdtempSync(join(tmpdir(), 'juntas-bench-backup-'))
try {
  await run()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const dataDir = join(folder, 'data')
  const backup = join(folder, 'backup')
  const server = await startServer({
    dataDir: await emptyInstance(dataDir),
    by: 'built',
    env: { LIMITS: 'off' },
  })
  try {
    await loadDataset(server.databaseUrl(), { members, posts })
    await givePictures(server.databaseUrl(), join(dataDir, 'files'))
    const traffic = await startMemberTraffic(server.url, crowd)
    await pause(2000)
    await runForOutput('backup', [backup], dataDir)
    const { requests, failed, messages, uploads } = await traffic.stop()
    console.log(
      `Meanwhile ${requests} requests, ${failed.length} failed, ${messages.lost.length} of ${messages.sent.length} messages lost, ${uploads.broken} of ${uploads.made} uploads broken.`,
    )
    for (const failure of failed.slice(0, 5)) console.log(`✗ ${failure}`)
  } finally {
    await server.stop()
  }
  await runForOutput('restore', ['--check', backup], dataDir)
  const restored = join(folder, 'restored')
  await runForOutput('restore', [backup], restored)
  const again = await startServer({ dataDir: restored, by: 'built' })
  await runForOutput('doctor', [], restored)
  await again.stop()

  const table = backupTablePath(backup, 'posts', false)
  const bytes = readFileSync(table)
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  writeFileSync(table, bytes)
  await runForOutput('restore', [backup], join(folder, 'damaged'))
}

async function emptyInstance(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  return dataDir
}

/** Backups do not decode pictures, so random bytes suffice. */
async function givePictures(url: string, files: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const filler = randomBytes(kilobytes * 1024)
  try {
    await client.query(
      'create temporary table given (storage_key text collate "C" primary key, sha256 bytea)',
    )
    const { rows } = await client.query<{ storage_key: string }>('select storage_key from files')
    for (let from = 0; from < rows.length; from += 500) {
      const keys = rows.slice(from, from + 500).map(({ storage_key }) => storage_key)
      const hashes = await Promise.all(
        keys.map(async (key) => {
          const bytes = Buffer.concat([Buffer.from(key), filler])
          const at = join(files, key.slice(0, 2), key)
          await mkdir(at, { recursive: true })
          await writeFile(join(at, 'original'), bytes)
          return createHash('sha256').update(bytes).digest()
        }),
      )
      await client.query('insert into given select * from unnest($1::text[], $2::bytea[])', [keys, hashes])
    }
    await client.query(
      'update files f set sha256 = g.sha256, size = $1 from given g where g.storage_key = f.storage_key',
      [filler.length + 32],
    )
    await client.query('vacuum analyze files')
  } finally {
    await client.end()
  }
}

async function runForOutput(command: string, args: string[], dataDir: string): Promise<void> {
  const began = performance.now()
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [`scripts/${command}.ts`, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    maxBuffer: 1e8,
  }).catch((error: { stdout: string; stderr: string }) => error)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${command} ${args.join(' ').replaceAll(`${folder}/`, '')}, ${seconds} s:`)
  console.log(`${stdout}${stderr}`.trim().replaceAll(`${folder}/`, '').replace(/^/gm, '  '))
}
