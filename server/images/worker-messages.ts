/** Messages between the server and its image workers. */
import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files/files.ts'
import type { RenderOptions } from './apply-render-options.ts'
import type { InitialsIconOrQrCodeOptions } from './drawing/draw-initials-icon-or-qr-code.ts'
import type { VariantFormat } from './variant-widths.ts'

export type ImageWorkerJob =
  /** Sanitise the upload at `input`; leave the original and first variants in `folder`. */
  | { kind: 'ingest'; input: string; folder: string }
  /** Make a variant of the sanitised original at `input`. */
  | { kind: 'resize'; input: string; output: string; width: number; format: VariantFormat }
  /** Render the sanitised original at `input` with a client's options. */
  | { kind: 'render'; input: string; output: string; composition: RenderOptions }
  /** Sanitise the image at `input`, and crop it to fill a box, as PNG. */
  | { kind: 'sanitizeAndCrop'; input: string; output: string; width: number; height: number }
  | { kind: 'draw'; drawing: InitialsIconOrQrCodeOptions }

/** An ingested image's properties; binary as base64, because messages are JSON. */
export type IngestJobResult = {
  mime: 'image/jpeg' | 'image/png'
  size: number
  md5: string
  sha256: string
  crc32: number
  /** Oriented pixels. */
  width: number
  height: number
  thumbhash: string
  /** Files left in the folder. */
  names: string[]
  /** Kinds of removed metadata. */
  removed: RemovedMetadata[]
}

/** Base64. */
export type DrawnPngResult = { png: string }

export type ImageWorkerJobResult = IngestJobResult | DrawnPngResult | true

export type ImageWorkerReply =
  | { done: ImageWorkerJobResult; rss: number }
  /** The image is invalid. */
  | { refused: ErrorType; message: string; rss: number }
  | { failed: string; code?: string; rss: number }
