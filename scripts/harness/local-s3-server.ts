/**
 * Refuses wrong signatures but accepts unsigned requests; other tests cover signatures. Lists are one page: s3rver's
 * page tokens need a cipher that Node no longer supports.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'

export type LocalS3Server = {
  env: Record<string, string>
  endpoint: string
  bucket: string
  folder: string
  end(): Promise<void>
}

export async function startLocalS3Server(): Promise<LocalS3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'juntas-s3-'))
  const bucket = 'juntas-files'
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const unfinished = mkdtempSync(join(tmpdir(), 'juntas-s3-unfinished-'))
  makeAtomic((store as unknown as { store: ObjectFolder }).store, unfinished)
  const { port } = await store.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    bucket,
    folder: join(directory, bucket),
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async end() {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
      rmSync(unfinished, { recursive: true, force: true })
    },
  }
}

type PutObject = { bucket: string; key: string; content: Buffer | Readable; metadata: object }
type ObjectFolder = {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string
  getBucketPath(bucket: string): string
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
  putObject(object: PutObject): Promise<{ size: number; md5: string }>
  listObjects(bucket: string, options: { prefix?: string; startAfter?: string }): Promise<unknown>
}

const objectSuffix = '._S3rver_object'

function makeAtomic(store: ObjectFolder, unfinished: string): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    // Rejects if the connection breaks off.
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content)
    const md5 = createHash('md5').update(bytes).digest('hex')
    const path = store.getResourcePath(bucket, key, 'object')
    const half = join(unfinished, randomUUID())
    await writeFile(half, bytes)
    await mkdir(dirname(path), { recursive: true })
    await store.putMetadata(bucket, key, metadata, md5)
    await rename(half, path)
    return { size: bytes.length, md5 }
  }
  store.listObjects = async (bucket, { prefix = '', startAfter = '' }) => {
    const root = store.getBucketPath(bucket)
    const [onlyFolder, ...more] = prefix.split('/')
    const folders = more.length > 0 ? [onlyFolder as string] : (await readdir(root)).sort()
    const keys: string[] = []
    for (const folder of folders) {
      if (`${folder}0` <= startAfter) continue
      for (const name of (await readdir(join(root, folder)).catch(() => [])).sort())
        if (name.endsWith(objectSuffix)) keys.push(`${folder}/${name.slice(0, -objectSuffix.length)}`)
    }
    const found = keys.filter((key) => key > startAfter && key.startsWith(prefix))
    const metadata = { etag: '', 'content-length': 0 }
    return {
      objects: found.map((key) => ({ key, metadata, size: 0, lastModifiedDate: new Date(0) })),
      commonPrefixes: [],
      isTruncated: false,
    }
  }
}
