/** Only workers decode images, so a decompression bomb or decoder bug ends only a worker. */
import { mkdir, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files/files.ts'
import { withDeadline } from '../concurrency/deadline.ts'
import type { FairQueueCaller } from '../concurrency/fair-queue.ts'
import { createInFlightQuota } from '../concurrency/in-flight-quota.ts'
import { Failure, throwFailure } from '../errors.ts'
import type { RenderOptions } from './apply-render-options.ts'
import { estimateDecodeCostBytes } from './decode-cost.ts'
import type { InitialsIconOrQrCodeOptions } from './drawing/draw-initials-icon-or-qr-code.ts'
import { createImageCache } from './image-cache.ts'
import type { VariantFormat } from './variant-widths.ts'
import type {
  DrawnPngResult,
  ImageWorkerJob,
  ImageWorkerJobResult,
  ImageWorkerReply,
  IngestJobResult,
} from './worker-loop.ts'
import { createImageWorkerPool, createQueueFullFailure, type ImageWorkerLimits } from './worker-pool.ts'

export type IngestedImage = {
  mime: 'image/jpeg' | 'image/png'
  size: number
  md5: string
  sha256: Buffer
  crc32: number
  /** The size in pixels, after applying the orientation. */
  width: number
  height: number
  thumbhash: Buffer
  files: Record<string, string>
  removed: RemovedMetadata[]
}

export type ImageDimensions = { width: number; height: number }

export type ImageProcessor = {
  /**
   * @param member in whose queue the job waits
   * @param input the upload's path
   * @param folder empty, for the results
   * @throws Failure storage_file_type_unsupported, storage_file_damaged, storage_image_too_large;
   * general_service_unavailable if the queue is full; storage_device_full
   */
  ingest(member: number, input: string, folder: string): Promise<IngestedImage>
  /**
   * Call this before fetching the original, which is also expensive.
   * @throws Failure general_service_unavailable without a free slot
   */
  reserveSlot(member: number): Disposable
  /**
   * Resizes a sanitised original and never enlarges it.
   * @param unwanted aborts when no caller waits; a job that has not started then rejects
   */
  resize(
    member: number,
    input: string,
    output: string,
    variant: { width: number; format: VariantFormat },
    unwanted?: AbortSignal,
  ): Promise<void>
  render(
    member: number,
    input: string,
    output: string,
    composition: RenderOptions,
    unwanted?: AbortSignal,
  ): Promise<void>
  /**
   * Sanitises and crops another site's image. The PNG fills the box.
   * @throws Failure as `ingest` and `reserveSlot`
   */
  sanitizeAndCrop(member: number, input: string, output: string, box: ImageDimensions): Promise<void>
  /**
   * Draws a PNG of initials, an icon or a QR code.
   * @param caller in whose queue the job waits
   * @throws Failure general_service_unavailable if the queue is full or drawing takes longer than
   * `imageRenderTimeoutMs`
   */
  draw(
    caller: FairQueueCaller,
    drawing: InitialsIconOrQrCodeOptions,
    callerLeft?: AbortSignal,
  ): Promise<Buffer>
  waiting(): number
  /** Makes waiting jobs reject with 503. */
  close(): void
}

export type ImagePoolLimits = {
  ordinary: ImageWorkerLimits
  small: ImageWorkerLimits
  expensive: ImageWorkerLimits
  /** After waiting this long, a small upload is taken by the reserved worker. */
  overtakeAfterMs: number
}

const megabyte = 1e6
/**
 * Most images take under 600 ms; slower ones move to the expensive pool. The niceness gives requests priority
 * over images, and ordinary images over expensive ones.
 */
export const defaultImageLimits: ImagePoolLimits = {
  ordinary: { memory: 400 * megabyte, time: 4000, idle: 60_000, niceness: 5 },
  small: { memory: 300 * megabyte, time: 1000, idle: 60_000, niceness: 5 },
  expensive: { memory: 600 * megabyte, time: 30_000, idle: 60_000, niceness: 10 },
  overtakeAfterMs: 100,
}
const drawingLimits: ImageWorkerLimits = { memory: 600 * megabyte, time: 20_000, idle: 60_000 }

/** Each process may use 400 MB and one core, and the server also needs a core. */
const defaultProcesses = availableParallelism() > 2 ? 2 : 1

/** A drawing takes about 20 ms. A page of people without photos requests up to a hundred at once. */
const drawingQueueLimits = { total: 400, perCaller: 100 }

/** Each drawing takes a few kilobytes. */
const drawingCacheBytes = 16e6

/** About as many as can be rendered within `imageRenderTimeoutMs`. */
const renderQuota = { perMember: 8, total: 60 }

export function createImageProcessor({
  limits = defaultImageLimits,
  processes = defaultProcesses,
} = {}): ImageProcessor {
  const imagePools = createImagePools(limits, processes)
  const iconPool = createImageWorkerPool(
    new URL('./drawing-worker.ts', import.meta.url),
    drawingLimits,
    1,
    drawingQueueLimits,
  )
  const drawings = createImageCache(drawingCacheBytes)
  const reserveSlot = createInFlightQuota({
    ...renderQuota,
    full() {
      throw createQueueFullFailure()
    },
  })

  return {
    async ingest(member, input, folder) {
      const reply = await imagePools.run(member, { kind: 'ingest', input, folder })
      const taken = resultOf(reply) as IngestJobResult
      const { names, sha256, thumbhash, ...rest } = taken
      return {
        ...rest,
        sha256: Buffer.from(sha256, 'base64'),
        thumbhash: Buffer.from(thumbhash, 'base64'),
        files: Object.fromEntries(names.map((name) => [name, join(folder, name)])),
      }
    },
    reserveSlot,
    async resize(member, input, output, variant, unwanted) {
      resultOf(await imagePools.run(member, { kind: 'resize', input, output, ...variant }, unwanted))
    },
    async render(member, input, output, composition, unwanted) {
      resultOf(await imagePools.run(member, { kind: 'render', input, output, composition }, unwanted))
    },
    async sanitizeAndCrop(member, input, output, box) {
      using _slot = reserveSlot(member)
      resultOf(await imagePools.run(member, { kind: 'sanitizeAndCrop', input, output, ...box }))
    },
    async draw(caller, drawing, callerLeft) {
      const drawNow = async (unwanted: AbortSignal) => {
        const { png } = resultOf(
          await iconPool.run(caller, { kind: 'draw', drawing }, unwanted),
        ) as DrawnPngResult
        return { type: 'image/png', bytes: Buffer.from(png, 'base64') }
      }
      const cachedOrDrawn = (left: AbortSignal) => drawings(JSON.stringify(drawing), drawNow, left)
      const { bytes } = await withDeadline(
        imageRenderTimeoutMs,
        cachedOrDrawn,
        throwRenderTimeoutFailure,
        callerLeft,
      )
      return bytes
    },
    waiting: () => imagePools.waiting() + iconPool.waiting(),
    close() {
      imagePools.close()
      iconPool.close()
    },
  }
}

/** Leaves time to answer within five seconds. */
export const imageRenderTimeoutMs = 4000

export const throwRenderTimeoutFailure = (): never =>
  throwFailure('general_service_unavailable', {
    message: 'This picture is still being made. Please try again in a moment.',
    retryAfter: 2,
  })

function resultOf(answer: ImageWorkerReply): ImageWorkerJobResult {
  if ('done' in answer) return answer.done
  if ('refused' in answer)
    return throwFailure(answer.refused as ErrorType, { message: answer.message, field: 'file' })
  if (answer.code === 'ENOSPC') return throwFailure('storage_device_full')
  throw new Error(`The image worker failed: ${answer.failed}`)
}

type ImageJob = Exclude<ImageWorkerJob, { kind: 'draw' }>

type ImagePools = {
  /**
   * Runs the job. If it exceeds the limits, it is repeated in the expensive pool.
   * @param member in whose queue the job waits
   * @param unwanted as for `ImageWorkerPool.run`
   * @throws as `ImageWorkerPool.run`
   */
  run(member: number, job: ImageJob, unwanted?: AbortSignal): Promise<ImageWorkerReply>
  waiting(): number
  close(): void
}

/** A few megapixels, as phones and our web app scale photos. */
const smallUploadBytes = 512 * 1024

/**
 * A PNG of 26 megapixels (13 with 16-bit colour), or a progressive JPEG of 13, takes this many bytes. A
 * phone's photo takes 20 to 80 million.
 */
const expensiveDecodeBytes = 80e6

/** If an image exceeded its estimate, all its member's images use the expensive pool for this long. */
const distrustMs = 60_000

/** Separate pools keep small uploads from waiting for large ones. */
function createImagePools(limits: ImagePoolLimits, ordinaryProcesses: number): ImagePools {
  const program = new URL('./image-worker.ts', import.meta.url)
  const ordinary = createImageWorkerPool(program, limits.ordinary, ordinaryProcesses)
  const small = createImageWorkerPool(program, limits.small, 1)
  const expensive = createImageWorkerPool(program, limits.expensive, 1)
  /** Members who uploaded recently. Their controller aborts when an upload exceeds its estimate. */
  const trusted = new LRUCache<number, AbortController>({ max: 1000, ttl: distrustMs })

  const trustOf = (member: number): AbortController => {
    const known = trusted.get(member) ?? new AbortController()
    if (!trusted.has(member)) trusted.set(member, known)
    return known
  }

  const runTrusted = async (
    member: number,
    job: ImageJob,
    unwanted: AbortSignal | undefined,
    trust: AbortController,
  ): Promise<ImageWorkerReply | null> => {
    const isSmall = job.kind === 'ingest' && (await stat(job.input)).size <= smallUploadBytes
    const overtaken = isSmall ? AbortSignal.timeout(limits.overtakeAfterMs) : undefined
    const signals = [trust.signal, unwanted, overtaken].filter((signal) => signal !== undefined)
    try {
      return await ordinary.run(member, job, AbortSignal.any(signals)).catch((thrown) => {
        if (!overtaken || thrown !== overtaken.reason) throw thrown
        return small.run(member, job, trust.signal)
      })
    } catch (thrown) {
      if (trust.signal.aborted && thrown === trust.signal.reason) return null
      if (!(thrown instanceof Failure) || thrown.type !== 'storage_image_too_large') throw thrown
      // Only the member who uploads an image decides how much decoding it costs.
      if (job.kind === 'ingest') {
        trust.abort()
        trusted.set(member, trust)
      }
      await discardResults(job)
      return null
    }
  }

  return {
    async run(member, job, unwanted) {
      const trust = trustOf(member)
      const isExpensive = (await estimateDecodeCostBytes(job.input)) > expensiveDecodeBytes
      const reply = isExpensive ? null : await runTrusted(member, job, unwanted, trust)
      return reply ?? expensive.run(member, job, unwanted)
    },
    waiting: () => ordinary.waiting() + small.waiting() + expensive.waiting(),
    close() {
      for (const pool of [ordinary, small, expensive]) pool.close()
    },
  }
}

/** Call this before the job is repeated. */
async function discardResults(job: ImageJob): Promise<void> {
  if (job.kind === 'ingest') {
    await rm(job.folder, { recursive: true })
    await mkdir(job.folder, { mode: 0o700 })
  } else if (job.kind === 'sanitizeAndCrop') await rm(`${job.output}.original`, { force: true })
}
