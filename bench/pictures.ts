/** P8 and P9: uploads beside raw sharp, and what a reader notices of them. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { asking } from '#tests/person.ts'
import { remote } from '#tests/remote.ts'
import { filesPath, formOf } from '#tests/uploading.ts'
import { everyday, readers } from './community.ts'
import { type Measure, median, spreadOf } from './findings.ts'
import { load, startProduct, startProgram } from './programs.ts'
import { openStage, signIn } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const uploadsARound = 16
const atOnce = 4

/** As a phone takes it: 12 megapixels, 3 MB. */
export async function phoneJpeg(): Promise<Buffer> {
  const [width, height] = [4000, 3000]
  // Noise alone compresses like nothing a camera sees: enlarged it has areas and edges.
  const coarse = sharp(randomBytes((width / 8) * (height / 8) * 3), {
    raw: { width: width / 8, height: height / 8, channels: 3 },
  })
  return coarse.resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 82 }).toBuffer()
}

export type Form = Awaited<ReturnType<typeof formOf>>

export const uploadForm = async (): Promise<Form> => formOf({ bytes: await phoneJpeg(), name: 'photo.jpg' })

/**
 * @param given.cookies of members who upload one after the other, each at the same time as the others: nobody may have many
 * uploads under way
 * @throws when one is refused
 */
export async function uploadMany(given: {
  url: string
  cookies: string[]
  form: Form
  count: number
}): Promise<void> {
  const { url, cookies, form, count } = given
  let left = count
  const some = async (cookie: string) => {
    const { request } = asking(remote(url), cookie)
    while (left > 0) {
      left -= 1
      const { status, body } = await request('POST', filesPath, form.body, form.headers)
      if (status !== 201) throw new Error(`An upload answered ${status}: ${JSON.stringify(body)}`)
    }
  }
  await Promise.all(cookies.map(some))
}

/** As many as upload at once. */
export const signInSome = (url: string): Promise<string[]> =>
  Promise.all(Array.from({ length: atOnce }, (_, n) => signIn(url, n + 1)))

/** P8. */
export const uploads: Measure = {
  goals: ['P8'],
  async run() {
    const stage = await openStage()
    const folder = mkdtempSync(join(tmpdir(), 'juntas-sharp-'))
    try {
      const url = await stage.copyOf(everyday)
      const cookies = await signInSome(url)
      const bytes = await phoneJpeg()
      const form = await formOf({ bytes, name: 'photo.jpg' })
      const path = join(folder, 'photo.jpg')
      writeFileSync(path, bytes)
      const server = await startProduct(url)
      const raw = await startProgram('bench/raw-sharp.ts', { BENCH_PICTURE: path })
      const measured: { ours: number; theirs: number }[] = []
      const perSecond = async (work: Promise<unknown>) => {
        const began = performance.now()
        await work
        return uploadsARound / ((performance.now() - began) / 1000)
      }
      for (let round = 0; round <= rounds; round += 1) {
        const ours = await perSecond(uploadMany({ url: server.url, cookies, form, count: uploadsARound }))
        const theirs = await perSecond(fetch(`${raw.url}/${uploadsARound}/${atOnce}`).then((it) => it.text()))
        if (round > 0) measured.push({ ours, theirs })
      }
      await raw.stop()
      await server.stop()
      const ratios = measured.map(({ ours, theirs }) => ours / theirs)
      const [ours, theirs] = (['ours', 'theirs'] as const).map((of) =>
        median(measured.map((round) => round[of])).toFixed(1),
      )
      const megabytes = (bytes.length / 1e6).toFixed(1)
      return [
        {
          goal: 'P8',
          what: `upload of a ${megabytes} MB JPEG → sanitised original and four variants, c${atOnce} ÷ raw sharp making the four`,
          figure: `${median(ratios).toFixed(2)} (${ours}/s beside ${theirs}/s)`,
          spread: spreadOf(ratios),
          target: '≥ 0.67',
          met: median(ratios) >= 0.67,
        },
      ]
    } finally {
      await stage.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** P9. */
export const readingWhileUploading: Measure = {
  goals: ['P9'],
  async run() {
    const stage = await openStage()
    try {
      const url = await stage.copyOf(everyday)
      const cookie = await signIn(url, readers.usual)
      const form = await uploadForm()
      const server = await startProduct(url)
      const reading = async () => {
        const { latency } = await load({
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
        let going = true
        const uploading = (async () => {
          while (going) await uploadMany({ url: server.url, cookies: [cookie, cookie], form, count: 2 })
        })()
        const beside = await reading()
        going = false
        await uploading
        if (round > 0) measured.push({ alone, beside })
      }
      await server.stop()
      const ratios = measured.map(({ alone, beside }) => beside / alone)
      const [beside, alone] = (['beside', 'alone'] as const).map((of) =>
        median(measured.map((round) => round[of])).toFixed(0),
      )
      return [
        {
          goal: 'P9',
          what: 'home p99 at c4 while two uploads run ÷ without',
          figure: `${median(ratios).toFixed(2)} (${beside} ms beside ${alone} ms)`,
          spread: spreadOf(ratios),
          target: '≤ 2.5',
          met: median(ratios) <= 2.5,
        },
      ]
    } finally {
      await stage.close()
    }
  },
}
