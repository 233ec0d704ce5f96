/**
 * Pictures: from what was uploaded to what is shown. The work happens in separate processes with limits on memory and
 * time (security reference M4, §4.5); this process never holds a picture.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { ErrorType } from '#contract/errors.ts'
import type { Icon } from './drawing/icons.ts'
import { fail } from './errors.ts'
import type { Composition } from './images/composition.ts'
import type { DecoderLimits } from './images/decoder.ts'
import type { Answer, Done, Taken } from './images/jobs.ts'
import { busy, createPool } from './images/pool.ts'
import type { VariantFormat } from './images/widths.ts'
import { createPlaces } from './places.ts'

/** What is known of a picture that was taken in. */
export type Picture = {
  mime: 'image/jpeg' | 'image/png'
  /** Bytes of the sanitised original. */
  size: number
  /** Hex. */
  md5: string
  sha256: Buffer
  /** Pixels as one sees them, after orientation. */
  width: number
  height: number
  thumbhash: Buffer
  /** `original` and its variants: name → path. */
  files: Record<string, string>
}

/** Pixels. */
export type Box = { width: number; height: number }

export type Images = {
  /**
   * Takes in an upload: strips it to what is needed to see it, decodes it once, makes the first variants (readings W-01,
   * W-02, D-12).
   * @param member whose turn it takes
   * @param input path of the upload
   * @param folder where the results are left, empty before
   * @throws Failure storage_file_type_unsupported, storage_file_damaged, storage_image_too_large when the picture is to
   * blame; general_service_unavailable when too many wait; storage_device_full
   */
  take(member: number, input: string, folder: string): Promise<Picture>
  /**
   * A place among the pictures that are made for `member` to look at: it is hers from before the original is fetched, which
   * costs too, until the picture is made.
   * @throws Failure general_service_unavailable when as many as she may have are under way
   */
  place(member: number): Disposable
  /**
   * Makes one more variant from a sanitised original, at most `width` wide; never larger than the picture is.
   * @param unwanted aborted when nobody waits for it any more, of which it throws the reason unless it has begun
   */
  vary(
    member: number,
    input: string,
    output: string,
    variant: { width: number; format: VariantFormat },
    unwanted?: AbortSignal,
  ): Promise<void>
  /**
   * Makes what a client wishes of a sanitised original.
   * @param unwanted as for `vary`
   */
  compose(
    member: number,
    input: string,
    output: string,
    composition: Composition,
    unwanted?: AbortSignal,
  ): Promise<void>
  /**
   * Fills a box with a picture from anywhere, as a PNG.
   * @throws Failure as `take` and `place`
   */
  adopt(member: number, input: string, output: string, box: Box): Promise<void>
  /** Draws one of our own icons, as a PNG. */
  icon(account: number, icon: Icon, output: string, box: Box): Promise<void>
  /** How many pictures wait for a process. */
  waiting(): number
  /** Ends the processes; whoever waits is told to try again. */
  close(): void
}

const megabyte = 1e6
const usual: DecoderLimits = { memory: 600 * megabyte, time: 20_000, idle: 60_000 }

/** Each may use 600 MB and a core, and the server itself wants one. */
const usualProcesses = availableParallelism() > 2 ? 2 : 1

/** About as many as are made within the time that somebody waits for one. */
const looking = { perMember: 8, total: 60 }

export function createImages({ limits = usual, processes = usualProcesses } = {}): Images {
  const pictures = createPool(new URL('./images/decoder-process.ts', import.meta.url), limits, processes)
  const icons = createPool(new URL('./images/icon-process.ts', import.meta.url), limits, 1)
  const place = createPlaces({
    ...looking,
    full() {
      throw busy()
    },
  })

  return {
    async take(member, input, folder) {
      const taken = resultOf(await pictures.run(member, { kind: 'take', input, folder })) as Taken
      const { names, sha256, thumbhash, ...rest } = taken
      return {
        ...rest,
        sha256: Buffer.from(sha256, 'base64'),
        thumbhash: Buffer.from(thumbhash, 'base64'),
        files: Object.fromEntries(names.map((name) => [name, join(folder, name)])),
      }
    },
    place,
    async vary(member, input, output, variant, unwanted) {
      resultOf(await pictures.run(member, { kind: 'vary', input, output, ...variant }, unwanted))
    },
    async compose(member, input, output, composition, unwanted) {
      resultOf(await pictures.run(member, { kind: 'compose', input, output, composition }, unwanted))
    },
    async adopt(member, input, output, box) {
      using _place = place(member)
      resultOf(await pictures.run(member, { kind: 'adopt', input, output, ...box }))
    },
    async icon(account, icon, output, box) {
      resultOf(await icons.run(account, { kind: 'icon', icon, output, ...box }))
    },
    waiting: () => pictures.waiting() + icons.waiting(),
    close() {
      pictures.close()
      icons.close()
    },
  }
}

/** Milliseconds that somebody waits for a picture to be made for her: no answer may hang for five seconds. */
export const lookingPatience = 4000

/** Whoever looks at a picture that is not made in time. @throws Failure, always */
export const notMadeYet = (): never =>
  fail('general_service_unavailable', {
    message: 'This picture is still being made. Please try again in a moment.',
    retryAfter: 2,
  })

function resultOf(answer: Answer): Done {
  if ('done' in answer) return answer.done
  if ('refused' in answer)
    return fail(answer.refused as ErrorType, { message: answer.message, field: 'file' })
  if (answer.code === 'ENOSPC') return fail('storage_device_full')
  throw new Error(`The decoder failed: ${answer.failed}`)
}
