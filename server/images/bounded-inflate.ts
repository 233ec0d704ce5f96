/** A few kilobytes of a PNG could become gigabytes in a decoder. */
import { constants, inflateSync } from 'node:zlib'

/** The limit is for all parts of an image together. Photo editors write about a megabyte. */
export const maxInflatedBytes = 8 * 1024 * 1024

export type InflateResult = {
  bytes: Buffer
  whole: boolean
}

/** Null for invalid data. */
export function inflateWithSizeLimit(deflated: Buffer, max: number): InflateResult | 'too much' | null {
  try {
    const { buffer, engine } = inflateSync(deflated, {
      maxOutputLength: Math.max(1, max),
      finishFlush: constants.Z_SYNC_FLUSH,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return { bytes: buffer, whole: engine.bytesWritten === deflated.length }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too much' : null
  }
}

/** The part that decoders inflate (PNG §11.3.2.3, §11.3.3.3–4), or null. */
export function extractPngDeflatedData(type: string, body: Buffer): Buffer | null {
  const name = body.indexOf(0)
  if (name < 1 || name > 79) return null
  if (type === 'zTXt' || type === 'iCCP') return body[name + 1] === 0 ? body.subarray(name + 2) : null
  if (type !== 'iTXt' || body[name + 1] !== 1) return null
  const language = body.indexOf(0, name + 3)
  const translated = language === -1 ? -1 : body.indexOf(0, language + 1)
  return translated === -1 ? null : body.subarray(translated + 1)
}
