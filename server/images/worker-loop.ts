/**
 * An image that exploits or crashes libvips finds no secrets and ends only this worker process. The main
 * thread can watch the memory, because libvips uses other threads.
 */
import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files/files.ts'
import { Failure } from '../errors.ts'
import type { RenderOptions } from './apply-render-options.ts'
import type { InitialsIconOrQrCodeOptions } from './drawing/draw-initials-icon-or-qr-code.ts'
import type { VariantFormat } from './variant-widths.ts'

export type ImageWorkerJob =
  /** `folder` receives the sanitised original and its first variants. */
  | { kind: 'ingest'; input: string; folder: string }
  /** `input` is a sanitised original. */
  | { kind: 'resize'; input: string; output: string; width: number; format: VariantFormat }
  | { kind: 'render'; input: string; output: string; composition: RenderOptions }
  /** The result is a PNG that fills the box. */
  | { kind: 'sanitizeAndCrop'; input: string; output: string; width: number; height: number }
  | { kind: 'draw'; drawing: InitialsIconOrQrCodeOptions }

/** Binary values are base64, because messages are JSON. */
export type IngestJobResult = {
  mime: 'image/jpeg' | 'image/png'
  size: number
  md5: string
  sha256: string
  crc32: number
  /** The size in pixels, after applying the orientation. */
  width: number
  height: number
  thumbhash: string
  names: string[]
  removed: RemovedMetadata[]
}

export type DrawnPngResult = { png: string }

export type ImageWorkerJobResult = IngestJobResult | DrawnPngResult | true

export type ImageWorkerReply =
  | { done: ImageWorkerJobResult; rss: number }
  | { refused: ErrorType; message: string; rss: number }
  | { failed: string; code?: string; rss: number }

const maxMemory = Number(process.argv[2])
const memoryCheckMs = 20

/** libvips reports a full disk only in the message. */
const codeOf = (message: string) => (message.includes('No space left on device') ? 'ENOSPC' : undefined)

export function runImageWorkerLoop(work: (job: ImageWorkerJob) => Promise<ImageWorkerJobResult>): void {
  const answerTo = async (job: ImageWorkerJob): Promise<ImageWorkerReply> => {
    try {
      return { done: await work(job), rss: process.memoryUsage.rss() }
    } catch (thrown) {
      const rss = process.memoryUsage.rss()
      if (thrown instanceof Failure) return { refused: thrown.type, message: thrown.message, rss }
      const { message, code } = thrown as NodeJS.ErrnoException
      return { failed: message, code: code ?? codeOf(message), rss }
    }
  }

  setInterval(() => {
    // SIGKILL is also the signal of the kernel's out-of-memory killer, so the parent treats both alike.
    if (process.memoryUsage.rss() > maxMemory) process.kill(process.pid, 'SIGKILL')
  }, memoryCheckMs)

  // Ctrl-C reaches the whole process group, but the parent finishes its work first.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', async (job: ImageWorkerJob) => process.send?.(await answerTo(job)))
  process.send?.('ready')
}
