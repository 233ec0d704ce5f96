import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { createServerLogger } from '#server/log.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { type ByteTransform, generateBackupIdentity, openBackupIdentity } from './backup-encryption.ts'
import { createBackup } from './create-backup.ts'
import { backupTablePath, computeFileDigest, readBackupManifest, writeBackupManifest } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

const log = createServerLogger('silent')
const caption = 'Una tarde que nadie lee'
let folders: string
let w: TestWorld
let backup: string
let identity: string
let recipient: string

const newFolder = () => mkdtempSync(join(folders, 'folder-'))
const originals = (dataDir: string) =>
  listFilePathsBelow(join(dataDir, 'files'))
    .filter((path) => path.endsWith('/original'))
    .map((path) => [path.split('/').at(-2), readFileSync(path).toString('base64')])
    .sort()

beforeAll(async () => {
  folders = createNonDurableFolder('juntas-encrypted-')
  w = await createTestWorld()
  const ana = await w.join('Ana')
  const imageId = await ana.upload(await createJpeg())
  await ana.call(createPostOperation, { caption, location: 'Cádiz', tags: [], imageId })
  const made = await generateBackupIdentity()
  identity = join(folders, 'key.txt')
  writeFileSync(identity, made.identity)
  recipient = made.recipient
  backup = join(newFolder(), 'backup')
  await take(backup, [recipient])
})
afterAll(async () => {
  await w.end()
  rmSync(folders, { recursive: true, force: true })
})

const take = async (folder: string, recipients: string[]) =>
  createBackup({ url: w.database.directUrl, blobs: await openBlobStore({ dataDir: w.dataDir }) }, folder, {
    recipients,
  })

/** Returns what the instance contains, even after a refused restore. */
async function restore(folder: string, decrypt?: ByteTransform) {
  const database = await createUnmigratedTestDatabase()
  const dataDir = newFolder()
  const to = { url: database.directUrl, blobs: await openBlobStore({ dataDir }), log }
  try {
    const refusal = await restoreBackup(folder, to, { decrypt }).then(
      ({ broken }) => (broken.length === 0 ? null : 'broken'),
      (error: Error) => error.message,
    )
    const { rows: tables } = await database.pool.query(
      `select from pg_class where relnamespace = 'public'::regnamespace`,
    )
    const { rows: posts } = refusal ? { rows: [] } : await database.pool.query('select caption from posts')
    return { refusal, tables: tables.length, posts, files: originals(dataDir) }
  } finally {
    await database.close()
  }
}
const nothing = { tables: 0, posts: [], files: [] }

test('OPS-16 an encrypted backup is restored with its key, to the byte', async () => {
  expect(await restore(backup, await openBackupIdentity(identity))).toMatchObject({
    refusal: null,
    posts: [{ caption }],
    files: originals(w.dataDir),
  })
})

test('OPS-16 an encrypted backup reveals no text and no picture without the key', async () => {
  const paths = listFilePathsBelow(backup)
  const plain = paths.filter((path) => !path.endsWith('.age')).map((path) => path.split('/').at(-1))
  expect([...new Set(plain)].sort()).toEqual(['files.jsonl.gz', 'list.json', 'manifest.json'])
  for (const path of paths.filter((each) => each.endsWith('.age')))
    expect(readFileSync(path).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(await verifyBackup(backup)).toMatchObject({ format: 2, recipients: [recipient] })
})

describe('OPS-16 an encrypted backup is refused, and nothing is restored', () => {
  test('a restore without a key is refused', async () => {
    expect(await restore(backup)).toEqual({
      ...nothing,
      refusal: 'The backup is encrypted: give its key with --identity <file>.',
    })
  })

  test('a restore with another key is refused', async () => {
    const other = join(folders, 'other.txt')
    writeFileSync(other, (await generateBackupIdentity()).identity)
    expect(await restore(backup, await openBackupIdentity(other))).toEqual({
      ...nothing,
      refusal: 'The backup is encrypted for a different key.',
    })
  })

  const flip = (path: string) => {
    const bytes = readFileSync(path)
    const middle = bytes.length >> 1
    bytes[middle] = (bytes[middle] as number) ^ 1
    writeFileSync(path, bytes)
  }
  const picture = (folder: string) =>
    listFilePathsBelow(join(folder, 'files')).find((path) => path.endsWith('/original.age')) as string

  test.each<[string, (folder: string) => void | Promise<void>, RegExp]>([
    [
      'with a picture cut off',
      (f) => truncateSync(picture(f), 300),
      /original\.age was changed after it was written/,
    ],
    [
      'with one bit of a picture turned',
      (f) => flip(picture(f)),
      /original\.age was changed after it was written/,
    ],
    [
      'with one bit of a table turned',
      (f) => flip(backupTablePath(f, 'posts', true)),
      /posts\.copy\.gz\.age was changed after/,
    ],
    [
      'with one bit of a table turned, and the manifest with it',
      async (f) => {
        const path = backupTablePath(f, 'posts', true)
        flip(path)
        const manifest = await readBackupManifest(f)
        const posts = manifest.tables.posts as { sha256: string }
        posts.sha256 = (await computeFileDigest(path))?.sha256 as string
        await writeBackupManifest(f, manifest)
      },
      /one of its files cannot be decrypted/,
    ],
    [
      'with a table cut off, and the manifest with it',
      async (f) => {
        const path = backupTablePath(f, 'users', true)
        truncateSync(path, 260)
        const manifest = await readBackupManifest(f)
        const users = manifest.tables.users as { sha256: string }
        users.sha256 = (await computeFileDigest(path))?.sha256 as string
        await writeBackupManifest(f, manifest)
      },
      /one of its files cannot be decrypted/,
    ],
  ])('an encrypted backup %s is refused, and nothing is restored', async (_, damage, sentence) => {
    const damaged = newFolder()
    cpSync(backup, damaged, { recursive: true })
    await damage(damaged)
    expect(await restore(damaged, await openBackupIdentity(identity))).toEqual({
      ...nothing,
      refusal: expect.stringMatching(sentence),
    })
  })
})

test('OPS-16 a key file without a key, and an invalid public key, are refused with an explanation', async () => {
  const file = join(folders, 'empty.txt')
  writeFileSync(file, '# only a comment\n')
  await expect(openBackupIdentity(file)).rejects.toThrow('contains no age key')
  writeFileSync(file, 'correcta caballo')
  await expect(openBackupIdentity(file)).rejects.toThrow('contains no age key')
  await expect(openBackupIdentity(join(folders, 'nowhere'))).rejects.toThrow('cannot be read')
  const mistyped = recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))
  await expect(take(newFolder(), [mistyped])).rejects.toThrow('is not a public key of age')
})

test('OPS-16 a backup encrypted for two keys opens with either key', async () => {
  const second = await generateBackupIdentity()
  const file = join(folders, 'second.txt')
  writeFileSync(file, second.identity)
  const folder = join(newFolder(), 'backup')
  await take(folder, [recipient, second.recipient])
  for (const key of [identity, file]) await verifyBackup(folder, { decrypt: await openBackupIdentity(key) })
})
