/** Defines the messages between the server and its image workers. */
import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files/files.ts'
import type { RenderOptions } from './apply-render-options.ts'
import type { InitialsIconOrQrCodeOptions } from './drawing/draw-initials-icon-or-qr-code.ts'
import type { VariantFormat } from './variant-widths.ts'

export type ImageWorkerJob =
  /** Sanitize the upload at `input`; leave the original and its first variants in `folder`. */
  | { kind: 'ingest'; input: string; folder: string }
  /** Make one variant of the sanitized original at `input`. */
  | { kind: 'resize'; input: string; output: string; width: number; format: VariantFormat }
  /** Render the sanitized original at `input` with a client's options. */
  | { kind: 'render'; input: string; output: string; composition: RenderOptions }
  /** Sanitize the image at `input`, and crop it to fill a box, as PNG. */
  | { kind: 'sanitizeAndCrop'; input: string; output: string; width: number; height: number }
  /** Draw initials, an icon or a QR code. */
  | { kind: 'draw'; drawing: InitialsIconOrQrCodeOptions }

/** What is known of an ingested image; binary as base64, because messages are JSON. */
export type IngestJobResult = {
  mime: 'image/jpeg' | 'image/png'
  size: number
  md5: string
  sha256: string
  crc32: number
  /** Pixels, after orientation. */
  width: number
  height: number
  thumbhash: string
  /** Names of the files left in the folder. */
  names: string[]
  /** What the upload carried besides what is seen. */
  removed: RemovedMetadata[]
}

/** In base64. */
export type DrawnPngResult = { png: string }

export type ImageWorkerJobResult = IngestJobResult | DrawnPngResult | true

export type ImageWorkerReply =
  | { done: ImageWorkerJobResult; rss: number }
  /** The image is at fault. */
  | { refused: ErrorType; message: string; rss: number }
  /** The worker failed. */
  | { failed: string; code?: string; rss: number }
