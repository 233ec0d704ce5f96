/** Goals P8 and P9: uploads compared with sharp alone, and their effect on reads. */
import { randomBytes } from 'node:crypto'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, encodeMultipartUpload } from '#api-client/raw-multipart-upload.ts'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { defaultDatasetSize, sampleReaderKeys } from '../environment/generate-dataset.ts'
import { generateLoad, measureUnderBackgroundLoad } from '../environment/load-generator.ts'
import { startBenchProgram, startProductServer } from '../environment/start-processes.ts'
import { type BenchmarkDefinition, formatValueRange, median } from '../report/results.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const uploadsARound = 16
const atOnce = 4

/** As a phone takes it: 12 megapixels, 3 MB. */
export async function createPhoneSizedJpeg(): Promise<Buffer> {
  const [width, height] = [4000, 3000]
  // Enlarged noise compresses like a photo.
  const coarse = sharp(randomBytes((width / 8) * (height / 8) * 3), {
    raw: { width: width / 8, height: height / 8, channels: 3 },
  })
  return coarse.resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 82 }).toBuffer()
}

export type EncodedMultipartForm = Awaited<ReturnType<typeof encodeMultipartUpload>>

export const createPhotoUploadForm = async (): Promise<EncodedMultipartForm> =>
  encodeMultipartUpload({ bytes: await createPhoneSizedJpeg(), name: 'photo.jpg' })

/**
 * @param given.cookies concurrent members; each uploads one file at a time, because uploads are limited per member
 * @throws if the server refuses an upload
 */
export async function uploadConcurrently(given: {
  url: string
  cookies: string[]
  form: EncodedMultipartForm
  count: number
}): Promise<void> {
  const { url, cookies, form, count } = given
  let left = count
  const some = async (cookie: string) => {
    const { request } = createApiClient(createHttpTransport(url), cookie)
    while (left > 0) {
      left -= 1
      const { status, body } = await request('POST', appwriteFilesPath, form.body, form.headers)
      if (status !== 201) throw new Error(`An upload answered ${status}: ${JSON.stringify(body)}`)
    }
  }
  await Promise.all(cookies.map(some))
}

export const signInConcurrentUploaders = (url: string): Promise<string[]> =>
  Promise.all(Array.from({ length: atOnce }, (_, n) => createBenchSessionCookie(url, n + 1)))

export const uploadThroughputBenchmark: BenchmarkDefinition = {
  goals: ['P8'],
  async run() {
    await using stage = await openBenchDatabasePool()
    using folder = mkdtempDisposableSync(join(tmpdir(), 'juntas-sharp-'))
    const url = await stage.copyOf(defaultDatasetSize)
    const cookies = await signInConcurrentUploaders(url)
    const bytes = await createPhoneSizedJpeg()
    const form = await encodeMultipartUpload({ bytes, name: 'photo.jpg' })
    const path = join(folder.path, 'photo.jpg')
    writeFileSync(path, bytes)
    await using server = await startProductServer(url)
    await using raw = await startBenchProgram('bench/baselines/raw-sharp.ts', { BENCH_PICTURE: path })
    const measured: { ours: number; theirs: number }[] = []
    const perSecond = async (work: Promise<unknown>) => {
      const began = performance.now()
      await work
      return uploadsARound / ((performance.now() - began) / 1000)
    }
    for (let round = 0; round <= rounds; round += 1) {
      const ours = await perSecond(
        uploadConcurrently({ url: server.url, cookies, form, count: uploadsARound }),
      )
      const theirs = await perSecond(fetch(`${raw.url}/${uploadsARound}/${atOnce}`).then((it) => it.text()))
      if (round > 0) measured.push({ ours, theirs })
    }
    const ratios = measured.map(({ ours, theirs }) => ours / theirs)
    const [ours, theirs] = (['ours', 'theirs'] as const).map((of) =>
      median(measured.map((round) => round[of])).toFixed(1),
    )
    const megabytes = (bytes.length / 1e6).toFixed(1)
    return [
      {
        goal: 'P8',
        what: `upload of a ${megabytes} MB JPEG → sanitized original and four variants, c${atOnce} ÷ raw sharp making the four`,
        figure: `${median(ratios).toFixed(2)} (${ours}/s beside ${theirs}/s)`,
        spread: formatValueRange(ratios),
        target: '≥ 0.67',
        met: median(ratios) >= 0.67,
      },
    ]
  },
}

export const readLatencyUnderUploadsBenchmark: BenchmarkDefinition = {
  goals: ['P9'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(defaultDatasetSize)
    const cookie = await createBenchSessionCookie(url, sampleReaderKeys.usual)
    const form = await createPhotoUploadForm()
    await using server = await startProductServer(url)
    const reading = async () => {
      const { latency } = await generateLoad({
        url: server.url,
        next: () => ({ path: '/v1/feed', cookie }),
        connections: 4,
        seconds: 6,
      })
      return latency.p99
    }
    const measured: { alone: number; beside: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const alone = await reading()
      const beside = await measureUnderBackgroundLoad(async (goesOn) => {
        while (goesOn())
          await uploadConcurrently({ url: server.url, cookies: [cookie, cookie], form, count: 2 })
      }, reading)
      if (round > 0) measured.push({ alone, beside })
    }
    const ratios = measured.map(({ alone, beside }) => beside / alone)
    const [beside, alone] = (['beside', 'alone'] as const).map((of) =>
      median(measured.map((round) => round[of])).toFixed(0),
    )
    return [
      {
        goal: 'P9',
        what: 'home p99 at c4 while two uploads run ÷ without',
        figure: `${median(ratios).toFixed(2)} (${beside} ms beside ${alone} ms)`,
        spread: formatValueRange(ratios),
        target: '≤ 2.5',
        met: median(ratios) <= 2.5,
      },
    ]
  },
}
