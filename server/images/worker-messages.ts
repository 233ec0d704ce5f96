import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files/files.ts'
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
