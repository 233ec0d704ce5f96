/** What the server and its picture processes say to each other. */
import type { ErrorType } from '#contract/errors.ts'
import type { Icon } from '../drawing/icons.ts'
import type { Composition } from './composition.ts'
import type { VariantFormat } from './widths.ts'

export type Job =
  /** Sanitise the upload at `input`; leave the original and its first variants in `folder`. */
  | { kind: 'take'; input: string; folder: string }
  /** Make one variant of the sanitised original at `input`. */
  | { kind: 'vary'; input: string; output: string; width: number; format: VariantFormat }
  /** Make what a client wishes of the sanitised original at `input`. */
  | { kind: 'compose'; input: string; output: string; composition: Composition }
  /** Fill a box with whatever picture is at `input`, sanitised first: a PNG. */
  | { kind: 'adopt'; input: string; output: string; width: number; height: number }
  /** Draw one of our own icons: a PNG. */
  | { kind: 'icon'; icon: Icon; output: string; width: number; height: number }

/** What was learned about a picture; binary as base64, because it travels as JSON. */
export type Taken = {
  mime: 'image/jpeg' | 'image/png'
  size: number
  md5: string
  sha256: string
  /** Pixels as one sees them. */
  width: number
  height: number
  thumbhash: string
  /** Names of the files left in the folder. */
  names: string[]
}

export type Done = Taken | true

export type Answer =
  | { done: Done; rss: number }
  /** The picture is to blame. */
  | { refused: ErrorType; message: string; rss: number }
  /** The picture is not to blame. */
  | { failed: string; code?: string; rss: number }
