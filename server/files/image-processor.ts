/**
 * Processes images in worker processes with limits on memory and time. This process never decodes one: a decompression
 * bomb or a bug in a decoder ends a worker, not the server.
 */
import { mkdir, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files.ts'
import { withDeadline } from '../concurrency/deadline.ts'
import { createInFlightQuota } from '../concurrency/in-flight-quota.ts'
import type { DrawPngOptions } from '../drawing/draw-png.ts'
import { Failure, throwFailure } from '../errors.ts'
import type { RenderOptions } from '../images/apply-preview-options.ts'
import type { FairQueueCaller } from '../images/fair-queue.ts'
import type { VariantFormat } from '../images/variant-widths.ts'
import type {
  DrawnPngResult,
  ImageWorkerJob,
  ImageWorkerJobResult,
  ImageWorkerReply,
  IngestResult,
} from '../images/worker-messages.ts'
import { createImageWorkerPool, createQueueFullFailure } from '../images/worker-pool.ts'
import type { ImageWorkerLimits } from '../images/worker-process.ts'
import { createImageCache } from './image-cache.ts'

/** What is known of an ingested image. */
export type IngestedImage = {
  mime: 'image/jpeg' | 'image/png'
  /** Bytes of the sanitized original. */
  size: number
  /** Hex. */
  md5: string
  sha256: Buffer
  /** Of the same bytes, as a zip archive has it. */
  crc32: number
  /** Pixels, after orientation. */
  width: number
  height: number
  thumbhash: Buffer
  /** `original` and its variants: name → path. */
  files: Record<string, string>
  /** What the upload carried besides what is seen. */
  removed: RemovedMetadata[]
}

/** Pixels. */
export type ImageDimensions = { width: number; height: number }

export type ImageProcessor = {
  /**
   * Ingests an upload: strips metadata, decodes it once and makes the first variants.
   * @param member the member in whose turn it is queued
   * @param input path of the upload
   * @param folder an empty folder for the results
   * @throws Failure storage_file_type_unsupported, storage_file_damaged, storage_image_too_large when the image is at
   * fault; general_service_unavailable when the queue is full; storage_device_full
   */
  ingest(member: number, input: string, folder: string): Promise<IngestedImage>
  /**
   * Reserves one of the member's slots for renderings in flight. Taken before the original is fetched, because fetching
   * costs too (decision 0068).
   * @throws Failure general_service_unavailable when all slots are taken
   */
  reserveSlot(member: number): Disposable
  /**
   * Makes a variant of a sanitized original, at most `width` wide and never enlarged.
   * @param unwanted aborts when no caller waits any more; a job that has not begun then rejects with the reason
   */
  resize(
    member: number,
    input: string,
    output: string,
    variant: { width: number; format: VariantFormat },
    unwanted?: AbortSignal,
  ): Promise<void>
  /**
   * Renders a sanitized original with a client's options.
   * @param unwanted as for `resize`
   */
  render(
    member: number,
    input: string,
    output: string,
    composition: RenderOptions,
    unwanted?: AbortSignal,
  ): Promise<void>
  /**
   * Sanitizes an image from another site and crops it to fill a box, as PNG.
   * @throws Failure as `ingest` and `reserveSlot`
   */
  sanitizeAndCrop(member: number, input: string, output: string, box: ImageDimensions): Promise<void>
  /**
   * Draws initials, an icon or a QR code, or returns one drawn lately.
   * @param caller in whose turn it is queued
   * @param callerLeft aborts when the client disconnected
   * @returns a PNG
   * @throws Failure general_service_unavailable when the queue is full, or it is not drawn within `imageRenderTimeoutMs`
   */
  draw(caller: FairQueueCaller, drawing: DrawPngOptions, callerLeft?: AbortSignal): Promise<Buffer>
  /** Counts the jobs that wait for a worker. */
  waiting(): number
  /** Ends the workers; waiting jobs reject with 503. */
  close(): void
}

const megabyte = 1e6
const defaultLimits: ImageWorkerLimits = { memory: 600 * megabyte, time: 20_000, idle: 60_000 }

/** Each may use 600 MB and a core, and the server needs a core too. */
const defaultProcesses = availableParallelism() > 2 ? 2 : 1

type IngestJob = Extract<ImageWorkerJob, { kind: 'ingest' }>

/** Bytes of an upload that may overtake larger ones: a photo of a few megapixels, as a phone or our own web scales it. */
const smallUploadBytes = 512 * 1024

/**
 * How long a small upload waits for the others' worker before it gets the one kept for small uploads, and the limits of that
 * one: time tells what a small file costs. Most take less than 200 ms; a bomb is sent back to wait with the others.
 */
const defaultOvertaking = {
  afterMs: 100,
  limits: { memory: 300 * megabyte, time: 1000, idle: 60_000 } satisfies ImageWorkerLimits,
}

/** How long a member whose upload was sent back overtakes nobody. */
const noOvertakingMs = 60_000

/** A drawing takes some 20 ms; a page of people without photos requests up to a hundred at once. */
const drawingQueueLimits = { total: 400, perCaller: 100 }

/** Of drawings in memory, of a few kilobytes each as a rule. */
const drawingCacheBytes = 16e6

/** About as many as are rendered within `imageRenderTimeoutMs`. */
const renderQuota = { perMember: 8, total: 60 }

export function createImageProcessor({
  limits = defaultLimits,
  processes = defaultProcesses,
  overtaking = defaultOvertaking,
} = {}): ImageProcessor {
  const imagePool = createImageWorkerPool(
    new URL('../images/image-worker.ts', import.meta.url),
    limits,
    processes,
  )
  const smallUploadPool = createImageWorkerPool(
    new URL('../images/image-worker.ts', import.meta.url),
    overtaking.limits,
    1,
  )
  const overtakers = new LRUCache<number, AbortController>({ max: 1000, ttl: noOvertakingMs })
  const iconPool = createImageWorkerPool(
    new URL('../images/drawing-worker.ts', import.meta.url),
    limits,
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

  /**
   * Ingests a small upload, in the worker that is kept for those when all others are busy with something longer.
   * @param overtaker aborts when an upload of the member was sent back
   * @returns null when it is to wait with the others: nothing has come of it
   */
  const ingestSmall = async (
    member: number,
    job: IngestJob,
    overtaker: AbortController,
  ): Promise<ImageWorkerReply | null> => {
    const patience = AbortSignal.timeout(overtaking.afterMs)
    try {
      return await imagePool.run(member, job, patience)
    } catch (thrown) {
      if (thrown !== patience.reason) throw thrown
    }
    try {
      return await smallUploadPool.run(member, job, overtaker.signal)
    } catch (thrown) {
      if (overtaker.signal.aborted && thrown === overtaker.signal.reason) return null
      if (!(thrown instanceof Failure) || thrown.type !== 'storage_image_too_large') throw thrown
      overtaker.abort()
      overtakers.set(member, overtaker)
      await rm(job.folder, { recursive: true })
      await mkdir(job.folder, { mode: 0o700 })
      return null
    }
  }
  const overtakerOf = (member: number): AbortController => {
    const known = overtakers.get(member) ?? new AbortController()
    if (!overtakers.has(member)) overtakers.set(member, known)
    return known
  }

  return {
    async ingest(member, input, folder) {
      const job = { kind: 'ingest', input, folder } as const
      const overtaker = overtakerOf(member)
      const isSmall = !overtaker.signal.aborted && (await stat(input)).size <= smallUploadBytes
      const reply =
        (isSmall && (await ingestSmall(member, job, overtaker))) || (await imagePool.run(member, job))
      const taken = resultOf(reply) as IngestResult
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
      resultOf(await imagePool.run(member, { kind: 'resize', input, output, ...variant }, unwanted))
    },
    async render(member, input, output, composition, unwanted) {
      resultOf(await imagePool.run(member, { kind: 'render', input, output, composition }, unwanted))
    },
    async sanitizeAndCrop(member, input, output, box) {
      using _slot = reserveSlot(member)
      resultOf(await imagePool.run(member, { kind: 'sanitizeAndCrop', input, output, ...box }))
    },
    async draw(caller, drawing, callerLeft) {
      const drawNow = async (unwanted: AbortSignal) => {
        const { png } = resultOf(
          await iconPool.run(caller, { kind: 'draw', drawing }, unwanted),
        ) as DrawnPngResult
        return { type: 'image/png', bytes: Buffer.from(png, 'base64') }
      }
      const cachedOrDrawn = (left: AbortSignal) => drawings(JSON.stringify(drawing), drawNow, left)
      const { bytes } = await withDeadline(imageRenderTimeoutMs, cachedOrDrawn, failRenderTimeout, callerLeft)
      return bytes
    },
    waiting: () => imagePool.waiting() + smallUploadPool.waiting() + iconPool.waiting(),
    close() {
      imagePool.close()
      smallUploadPool.close()
      iconPool.close()
    },
  }
}

/** How long a request waits for an image to be made: no response may take five seconds. */
export const imageRenderTimeoutMs = 4000

/** Refuses a request whose image was not made in time. @throws Failure, always */
export const failRenderTimeout = (): never =>
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
