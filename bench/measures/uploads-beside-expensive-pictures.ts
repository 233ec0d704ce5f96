/** Attack D07: the effect on another member's uploads. */
import sharp from 'sharp'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, encodeMultipartUpload } from '#api-client/raw-multipart-upload.ts'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { defaultDatasetSize } from '../environment/generate-dataset.ts'
import { measureUnderBackgroundLoad } from '../environment/load-generator.ts'
import { startProductServer } from '../environment/start-processes.ts'
import { type BenchmarkDefinition, formatValueRange, median, quantile } from '../report/results.ts'
import { createPhoneSizedJpeg } from './image-uploads.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const attackers = 3
const uploadsARound = 20

/** The largest allowed number of pixels and bit depth, in a small file. */
const createExpensivePng = () =>
  sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#345' } })
    .toColourspace('rgb16')
    .png({ compressionLevel: 9 })
    .toBuffer()

/** Scaled down as by the web app. */
const createScaledJpeg = async () =>
  sharp(await createPhoneSizedJpeg())
    .resize(1920)
    .jpeg({ quality: 80 })
    .toBuffer()

export const uploadsBesideExpensivePicturesBenchmark: BenchmarkDefinition = {
  goals: ['D07'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(defaultDatasetSize)
    const cookies = await Promise.all(
      Array.from({ length: attackers + 1 }, (_, n) => createBenchSessionCookie(url, n + 1)),
    )
    const [mine = '', ...theirs] = cookies
    await using server = await startProductServer(url)
    const upload = async (cookie: string, form: Awaited<ReturnType<typeof encodeMultipartUpload>>) => {
      const { request } = createApiClient(createHttpTransport(server.url), cookie)
      const began = performance.now()
      const { status } = await request('POST', appwriteFilesPath, form.body, form.headers)
      if (status !== 201) throw new Error(`An upload answered ${status}`)
      return performance.now() - began
    }
    const expensive = await encodeMultipartUpload({ bytes: await createExpensivePng() })
    const photos = {
      'a phone’s photo of 12 megapixels': await createPhoneSizedJpeg(),
      'a photo of 3 megapixels': await createScaledJpeg(),
    }
    const found = []
    for (const [what, bytes] of Object.entries(photos)) {
      const form = await encodeMultipartUpload({ bytes })
      const uploading = async () => {
        const taken: number[] = []
        while (taken.length < uploadsARound) taken.push(await upload(mine, form))
        return taken
      }
      const alone: number[] = []
      const beside: number[] = []
      const ratios: number[] = []
      const expensiveUploads: number[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const without = await uploading()
        const under = await measureUnderBackgroundLoad(
          (goesOn) =>
            Promise.all(
              theirs.map(async (cookie) => {
                while (goesOn()) expensiveUploads.push(await upload(cookie, expensive))
              }),
            ),
          uploading,
        )
        if (round === 0) continue
        alone.push(...without)
        beside.push(...under)
        ratios.push(median(under) / median(without))
      }
      const of = (taken: number[]) =>
        [0.5, 0.9, 0.99].map((part) => quantile(taken, part).toFixed(0)).join(', ')
      const waited = quantile(beside, 0.99) - quantile(alone, 0.99)
      console.error(what, {
        alone: of(alone),
        beside: of(beside),
        expensive: of(expensiveUploads),
        sent: expensiveUploads.length,
      })
      found.push({
        goal: 'D07',
        what: `${what} by another member while ${attackers} send 49-megapixel PNGs of 16 bits: what one of a hundred waits beyond its own time, ms`,
        figure: `${waited.toFixed(0)} (middle ${median(ratios).toFixed(2)} of the time alone)`,
        spread: formatValueRange(ratios),
        target: '≤ 250',
        met: waited <= 250,
      })
    }
    return found
  },
}
