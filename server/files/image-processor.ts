/**
 * Processes images in worker processes with limits on memory and time. This process never decodes one: a decompression
 * bomb or a bug in a decoder ends a worker, not the server.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files/files.ts'
import { withDeadline } from '../concurrency/deadline.ts'
import type { FairQueueCaller } from '../concurrency/fair-queue.ts'
import { createInFlightQuota } from '../concurrency/in-flight-quota.ts'
import { throwFailure } from '../errors.ts'
import type { RenderOptions } from '../images/apply-render-options.ts'
import type { InitialsIconOrQrCodeOptions } from '../images/drawing/draw-initials-icon-or-qr-code.ts'
import type { VariantFormat } from '../images/variant-widths.ts'
import type {
  DrawnPngResult,
  ImageWorkerJobResult,
  ImageWorkerReply,
  IngestJobResult,
} from '../images/worker-messages.ts'
import { createImageWorkerPool, createQueueFullFailure } from '../images/worker-pool.ts'
import { createImageWorkerPoolsByCost, type ImagePoolLimits } from '../images/worker-pools-by-cost.ts'
import type { ImageWorkerLimits } from '../images/worker-supervisor.ts'
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
  draw(
    caller: FairQueueCaller,
    drawing: InitialsIconOrQrCodeOptions,
    callerLeft?: AbortSignal,
  ): Promise<Buffer>
  /** Counts the jobs that wait for a worker. */
  waiting(): number
  /** Ends the workers; waiting jobs reject with 503. */
  close(): void
}

const megabyte = 1e6
/**
 * Most ordinary images take less than 600 ms; what an old machine does not make in the time is made among the expensive ones. A
 * lower priority leaves the CPU to requests, and to ordinary images before expensive ones.
 */
export const defaultImageLimits: ImagePoolLimits = {
  ordinary: { memory: 400 * megabyte, time: 4000, idle: 60_000, niceness: 5 },
  small: { memory: 300 * megabyte, time: 1000, idle: 60_000, niceness: 5 },
  expensive: { memory: 600 * megabyte, time: 30_000, idle: 60_000, niceness: 10 },
  overtakeAfterMs: 100,
}
const drawingLimits: ImageWorkerLimits = { memory: 600 * megabyte, time: 20_000, idle: 60_000 }

/** Each may use 400 MB and a core, and the server needs a core too. */
const defaultProcesses = availableParallelism() > 2 ? 2 : 1

/** A drawing takes some 20 ms; a page of people without photos requests up to a hundred at once. */
const drawingQueueLimits = { total: 400, perCaller: 100 }

/** Of drawings in memory, of a few kilobytes each as a rule. */
const drawingCacheBytes = 16e6

/** About as many as are rendered within `imageRenderTimeoutMs`. */
const renderQuota = { perMember: 8, total: 60 }

export function createImageProcessor({
  limits = defaultImageLimits,
  processes = defaultProcesses,
} = {}): ImageProcessor {
  const imagePools = createImageWorkerPoolsByCost(limits, processes)
  const iconPool = createImageWorkerPool(
    new URL('../images/drawing-worker.ts', import.meta.url),
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

/** How long a request waits for an image to be made: no response may take five seconds. */
export const imageRenderTimeoutMs = 4000

/** Refuses a request whose image was not made in time. @throws Failure, always */
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
