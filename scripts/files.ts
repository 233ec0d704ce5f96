/**
 * `npm run files` moves and verifies all files between disk and S3 while members use Juntas (docs/self-hosting.md).
 */
import { constants, setPriority } from 'node:os'
import { Client } from 'pg'
import type { ListableBlobStore } from '#server/blobs/blob-store.ts'
import { type BlobPlace, openBlobPlaces, openBlobStore } from '#server/blobs/open-blob-store.ts'
import type { Config } from '#server/config.ts'
import { erasedAccountsKey } from '#server/features/deletion/erased-account-register.ts'
import { createPace, type FileMoveContext } from '#server/files/move/copy-stored-files.ts'
import { readFileMove } from '#server/files/move/file-move-state.ts'
import { type FileMoveProgress, moveFiles, removeOldCopies } from '#server/files/move/move-files.ts'
import { type VerifiedFiles, verifyFiles } from '#server/files/move/verify-files.ts'
import { openConfiguredDatabase } from './open-configured-database.ts'
import {
  type CommandArguments,
  readInstanceConfig,
  runOperatorCommand,
  UsageError,
} from './operator-command.ts'

const defaultSpeed = 20

const names: Record<BlobPlace, string> = { disk: 'the disk', s3: 'S3' }
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

await runOperatorCommand({
  usage: [
    'npm run files -- move --to s3|disk [--speed <MB per second>] [--delete-source]',
    'npm run files -- verify [--in s3|disk]',
    'npm run files -- clean-up [--unused]',
  ],
  flags: ['delete-source', 'unused'],
  options: ['to', 'in', 'speed'],
  async work(given) {
    const [command, ...more] = given.words
    if (more.length > 0) throw new UsageError('Name one command.')
    // The server's work for members comes first, unless the operator names a speed that the command should reach.
    if (given.options.speed === undefined) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    if (command === 'move') {
      refuseOthers(given, ['to', 'speed', 'delete-source'])
      return withInstance((config, db) => move(config, db, given))
    }
    if (command === 'verify') {
      refuseOthers(given, ['in', 'speed'])
      return withInstance((config, db) => verify(config, db, given))
    }
    if (command === 'clean-up') {
      refuseOthers(given, ['unused', 'speed'])
      return withInstance((config, db) => cleanUp(config, db, given))
    }
    throw new UsageError('Say move, verify or clean-up.')
  },
})

function refuseOthers({ flags, options }: CommandArguments, known: readonly string[]): void {
  const unknown = [...flags, ...Object.keys(options)].find((name) => !known.includes(name))
  if (unknown) throw new UsageError(`This command has no --${unknown}.`)
}

async function withInstance(work: (config: Config, db: Client) => Promise<number>): Promise<number> {
  const config = readInstanceConfig()
  const database = await openConfiguredDatabase(config)
  const db = new Client({ connectionString: database.url, application_name: 'juntas files' })
  // The next statement reports a broken connection.
  db.on('error', () => {})
  try {
    await db.connect()
    await db.query('set statement_timeout = 0; set idle_session_timeout = 0')
    return await work(config, db)
  } finally {
    await db.end().catch(() => {})
    await database.stop()
  }
}

async function move(config: Config, db: Client, { options, flags }: CommandArguments): Promise<number> {
  const place = parsePlace(options.to)
  if (!place) throw new UsageError('Say where the files go: --to s3 or --to disk.')
  const context = await openMove(config, db, place, options)
  const before = await readFileMove(db)
  // Continues an interrupted deletion.
  const isVerified = before?.target === place && before.verified_at && !before.ended_at
  if (flags.has('delete-source') && isVerified) return cleanUp(config, db, { options, flags: new Set() })
  const progress = createProgressLine()
  const verified = await moveFiles(context, place, progress.show)
  progress.end()
  if (report(verified, `in ${names[place]}`) > 0) {
    console.log('Nothing was deleted. Repair these files, then run the command again.')
    return 1
  }
  if (flags.has('delete-source')) return cleanUp(config, db, { options, flags: new Set() })
  const source = names[otherPlace(place)]
  console.log(`The copies on ${source} are still there: npm run files -- clean-up deletes them.`)
  return 0
}

async function verify(config: Config, db: Client, { options }: CommandArguments): Promise<number> {
  const place = options.in === undefined ? null : parsePlace(options.in)
  if (place === undefined) throw new UsageError('Say --in s3 or --in disk.')
  const store = place ? requirePlace(await openBlobPlaces(config), place) : await openBlobStore(config)
  const progress = createProgressLine()
  const verified = await verifyFiles(
    { db, store, pace: paceOf(options) },
    { onPage: async (_, { files, bytes }) => progress.show({ step: 'verifying', files, bytes }) },
  )
  progress.end()
  return report(verified, place ? `in ${names[place]}` : 'where members read them') > 0 ? 1 : 0
}

async function cleanUp(
  config: Config,
  db: Client,
  { options, flags }: Pick<CommandArguments, 'options' | 'flags'>,
): Promise<number> {
  const place = config.filesStore
  const context = await openMove(config, db, place, options)
  const progress = createProgressLine()
  const removed = await removeOldCopies(context, place, flags.has('unused'), progress.show)
  progress.end()
  const source = names[otherPlace(place)]
  console.log(`${removed.files} old copies (${megabytes(removed.bytes)}) were deleted from ${source}.`)
  if (removed.unfinished > 0)
    console.log(
      `! ${removed.unfinished} uploads and data exports are still being written: run this again in a day.`,
    )
  if (removed.notMoved > 0)
    console.log(
      `✗ ${removed.notMoved} files are missing or damaged in ${names[place]} and were kept on ${source}.`,
    )
  if (removed.unused > 0)
    console.log(
      `! ${removed.unused} keys on ${source} belong to no file of this instance: --unused deletes them too.`,
    )
  return removed.unfinished + removed.notMoved > 0 ? 1 : 0
}

function parsePlace(text: string | undefined): BlobPlace | undefined {
  return text === 's3' || text === 'disk' ? text : undefined
}

function otherPlace(place: BlobPlace): BlobPlace {
  return place === 's3' ? 'disk' : 's3'
}

function requirePlace(
  places: { disk: ListableBlobStore; s3: ListableBlobStore | null },
  place: BlobPlace,
): ListableBlobStore {
  const store = places[place]
  if (!store) throw new UsageError('The settings S3_* are missing: files move between the disk and S3.')
  return store
}

/** @throws UsageError if new files do not go to `place` yet, because the move would never end */
async function openMove(
  config: Config,
  db: Client,
  place: BlobPlace,
  options: CommandArguments['options'],
): Promise<FileMoveContext> {
  const places = await openBlobPlaces(config)
  const target = requirePlace(places, place)
  const source = requirePlace(places, otherPlace(place))
  if (config.filesStore !== place) {
    throw new UsageError(
      `New files go to ${names[config.filesStore]}: set FILES_STORE=${place}, restart every node, then move.`,
    )
  }
  return { db, source, target, permanentKeys: [erasedAccountsKey], pace: paceOf(options) }
}

function paceOf({ speed }: CommandArguments['options']) {
  const given = speed === undefined ? defaultSpeed : Number(speed)
  if (!(given > 0)) throw new UsageError('--speed is a number of megabytes per second above 0.')
  return createPace(given * 1e6)
}

function report({ files, bytes, missing, wrong, some }: VerifiedFiles, where: string): number {
  const mark = missing + wrong === 0 ? '✓' : '✗'
  console.log(
    `${mark} ${files} files (${megabytes(bytes)}) were hashed ${where}: ${missing} missing, ${wrong} wrong.`,
  )
  if (some.length > 0) console.log(`✗ Among them: ${some.join(', ')}.`)
  return missing + wrong
}

/** Shows every step on a terminal, otherwise one every ten seconds. */
function createProgressLine(): { show(progress: FileMoveProgress): void; end(): void } {
  const isTerminal = process.stdout.isTTY
  let shown = Date.now()
  let open = false
  return {
    show({ step, files, bytes }) {
      const line = `${step} … ${files} files, ${megabytes(bytes)}`
      if (isTerminal) {
        process.stdout.write(`\r${line.padEnd(60)}`)
        open = true
      } else if (Date.now() - shown >= 10_000) {
        shown = Date.now()
        console.log(line)
      }
    },
    end() {
      if (open) process.stdout.write('\n')
    },
  }
}
