import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Client } from 'pg'
import { findMissingPictures } from '../backup/copy-pictures.ts'
import type { ListableBlobStore } from '../blobs/blob-store.ts'
import { openBlobPlaces, openBlobStore } from '../blobs/open-blob-store.ts'
import type { Config } from '../config.ts'
import { findEmbeddedPostgresUrl } from '../database/embedded-postgres.ts'
import { readFileMove } from '../files/move/file-move-state.ts'
import { generateId } from '../ids.ts'
import { createImageProcessor, type ImageProcessor } from '../images/image-processor.ts'
import { answerTimeoutMs, type DoctorFinding, failure, ok, warning } from './doctor-finding.ts'

export async function checkPictureFiles(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.files') is not null as there`,
    )
    if (!rows[0]?.there) return []
    // Opening the store would create its folder.
    const folder = join(config.dataDir, 'files')
    const blobs = config.s3 || existsSync(folder) ? await openBlobStore(config) : null
    const { pictures, missing, some } = await findMissingPictures(client, blobs)
    if (pictures === 0) return []
    if (missing === 0) return [ok(`The files of all ${pictures} pictures in use exist.`)]
    return [
      failure(
        `The files of ${missing} of ${pictures} pictures in use are missing, e.g. ${some.join(', ')}: restore them from a backup.`,
      ),
    ]
  } catch {
    // A separate check reports an unreachable service.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

export async function checkFileMove(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.file_move') is not null as there`,
    )
    const move = rows[0]?.there ? await readFileMove(client) : null
    if (move && !move.verified_at)
      return [
        warning(`A move of files is unfinished: npm run files -- move --to ${move.target} continues it.`),
      ]
    if (config.s3) return await checkBothPlaces(config)
    return move && (move.target === 's3' || !move.ended_at)
      ? [failure('Files were moved and S3 may still hold some, but the settings S3_* are missing.')]
      : []
  } catch {
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkBothPlaces(config: Config): Promise<DoctorFinding[]> {
  if (!existsSync(join(config.dataDir, 'files'))) return []
  const { disk, s3 } = await openBlobPlaces(config)
  const [onDisk, inBucket] = await Promise.all([holdsFiles(disk), s3 && holdsFiles(s3)])
  if (onDisk && inBucket)
    return [
      warning(
        `Both the disk and the bucket hold files: npm run files -- move --to ${config.filesStore}, then clean-up.`,
      ),
    ]
  if (config.filesStore === 'disk' && !inBucket)
    return [warning('The bucket contains no files any more: remove S3_* and FILES_STORE from the settings.')]
  return []
}

async function holdsFiles(store: ListableBlobStore): Promise<boolean> {
  for await (const _ of store.list()) return true
  return false
}

export async function checkImageDecoding(_config: Config, running?: ImageProcessor): Promise<DoctorFinding> {
  const folder = mkdtempSync(join(tmpdir(), 'juntas-doctor-'))
  const images = running ?? createImageProcessor()
  try {
    const input = join(folder, 'input')
    await writeFile(input, Buffer.from(onePixel, 'base64'))
    await images.ingest(0, input, folder)
    return ok('Pictures can be decoded.')
  } catch (error) {
    return failure(`Pictures cannot be decoded on this machine: ${(error as Error).message}.`)
  } finally {
    if (!running) images.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Writes and reads a test object, to check the permissions. */
export async function checkBucket(config: Config): Promise<DoctorFinding[]> {
  if (!config.s3) return []
  const { endpoint, bucket } = config.s3
  const where = `The bucket ${bucket} at ${endpoint}`
  const dataDir = mkdtempSync(join(tmpdir(), 'juntas-doctor-'))
  const key = generateId(32)
  try {
    const blobs = await openBlobStore({ s3: config.s3, dataDir })
    await using scratch = await blobs.begin(100)
    const said = randomUUID()
    await writeFile(join(scratch.path, 'try'), said)
    await blobs.finish(key, { original: join(scratch.path, 'try') })
    const opened = await blobs.open(key, 'original')
    const received = opened && String(await buffer(opened.read()))
    await blobs.remove(key)
    return [
      received === said
        ? ok(`${where} accepts writes, reads and deletes.`)
        : failure(`${where} returned different bytes.`),
    ]
  } catch (error) {
    const cause = (error as Error).cause
    return [
      failure(
        `${where} cannot be used: ${cause instanceof Error ? cause.message : (error as Error).message}`,
      ),
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Hundreds of old upload folders indicate crashes. */
export async function checkUnfinishedUploads({ dataDir }: Config): Promise<DoctorFinding[]> {
  const folder = join(dataDir, 'files', 'scratch')
  if (!existsSync(folder)) return []
  const left = readdirSync(folder).length
  return left > 200
    ? [warning(`${folder} contains ${left} unfinished uploads; the server deletes those older than an hour.`)]
    : []
}
