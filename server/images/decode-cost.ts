/**
 * Reads the image's header, to choose the worker pool. If the header lies, the worker's time limit applies.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { isJpeg, isJpegFrameMarker, progressiveJpegFrameMarker } from './sanitize-jpeg.ts'
import { isPng } from './sanitize-png.ts'

/** Camera files have dozens of segments before the frame. */
const maxSegmentsRead = 100

/** Decoders hold all pixels of interlaced or progressive images and process them several times. */
const severalPasses = 2

/**
 * Estimates the decoded size plus twice the file's. A baseline JPEG counts one byte per pixel, because it is
 * scaled down while decoding.
 * @returns Infinity for an unusual header
 */
export async function estimateDecodeCostBytes(path: string): Promise<number> {
  await using file = await open(path)
  const { size } = await file.stat()
  const start = await readAt(file, 0, pngHeaderEnd)
  const decoded = isPng(start) ? ofPng(start) : isJpeg(start) ? await ofJpeg(file) : undefined
  return decoded === undefined ? Number.POSITIVE_INFINITY : decoded + 2 * size
}

/** The header ends with the interlace method in IHDR (PNG §11.2.1). */
const pngHeaderEnd = 29
const pngChannels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function ofPng(start: Buffer): number | undefined {
  if (start.length < pngHeaderEnd || start.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [width, height] = [start.readUInt32BE(16), start.readUInt32BE(20)]
  const [depth = 0, colorType = 0, , , interlace] = start.subarray(24)
  // Decoders unpack pixels of fewer than eight bits to bytes.
  const bytes = width * height * (pngChannels[colorType] ?? 4) * Math.max(1, depth / 8)
  return interlace === 0 ? bytes : bytes * severalPasses
}

/** Reads up to the frame, which contains the size (ITU-T T.81 §B.2.2). */
async function ofJpeg(file: FileHandle): Promise<number | undefined> {
  let at = 2
  for (let segments = 0; segments < maxSegmentsRead; segments += 1) {
    const head = await readAt(file, at, 10)
    if (head.length < 10 || head[0] !== 0xff) return undefined
    const [, code = 0] = head
    if (!isJpegFrameMarker(code)) {
      at += code === 0xff ? 1 : 2 + head.readUInt16BE(2)
      continue
    }
    const pixels = head.readUInt16BE(5) * head.readUInt16BE(7)
    return code === progressiveJpegFrameMarker ? pixels * (head[9] as number) * severalPasses : pixels
  }
  return undefined
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
