/** Defines the messages between the server and its image workers. */
import type { ErrorType } from '#contract/errors.ts'
import type { RemovedMetadata } from '#contract/files/files.ts'
import type { RenderOptions } from './apply-render-options.ts'
import type { InitialsIconOrQrCodeOptions } from './drawing/draw-initials-icon-or-qr-code.ts'
import type { VariantFormat } from './variant-widths.ts'

export type ImageWorkerJob =
  /** Sanitise the upload at `input`, and write the original and its first variants to `folder`. */
  | { kind: 'ingest'; input: string; folder: string }
  /** Render a variant of the sanitised original at `input`. */
  | { kind: 'resize'; input: string; output: string; width: number; format: VariantFormat }
  /** Render the sanitised original at `input` with a client's options. */
  | { kind: 'render'; input: string; output: string; composition: RenderOptions }
  /** Sanitise the image at `input`, and crop it to fill a box. The result is a PNG. */
  | { kind: 'sanitizeAndCrop'; input: string; output: string; width: number; height: number }
  | { kind: 'draw'; drawing: InitialsIconOrQrCodeOptions }

/** The properties of an ingested image. Binary values are base64, because messages are JSON. */
export type IngestJobResult = {
  mime: 'image/jpeg' | 'image/png'
  size: number
  md5: string
  sha256: string
  crc32: number
  /** Pixels after applying the orientation. */
  width: number
  height: number
  thumbhash: string
  /** The names of the files that were written to the folder. */
  names: string[]
  /** The kinds of metadata that were removed. */
  removed: RemovedMetadata[]
}

/** The PNG as base64. */
export type DrawnPngResult = { png: string }

export type ImageWorkerJobResult = IngestJobResult | DrawnPngResult | true

export type ImageWorkerReply =
  | { done: ImageWorkerJobResult; rss: number }
  /** The worker refused the image as invalid. */
  | { refused: ErrorType; message: string; rss: number }
  | { failed: string; code?: string; rss: number }
