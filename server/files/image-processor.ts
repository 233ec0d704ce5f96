/** Only workers decode images, so a decompression bomb or decoder bug ends only a worker. */
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
} from '../images/worker-loop.ts'
import {
  createImageWorkerPool,
  createQueueFullFailure,
  type ImageWorkerLimits,
} from '../images/worker-pool.ts'
import { createImageWorkerPoolsByCost, type ImagePoolLimits } from '../images/worker-pools-by-cost.ts'
import { createImageCache } from './image-cache.ts'

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

/** No response may take five seconds. */
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
