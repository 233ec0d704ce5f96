/** A local S3 over real HTTP. Accepts every signature; those have their own test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export type LocalS3Server = {
  /** Server settings to use it. */
  env: Record<string, string>
  endpoint: string
  bucket: string
  /** The objects' folder. */
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
  const { port } = (await store.run()) as { port: number }
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
    },
  }
}
