/** Uploads are sent in chunks of 5 MiB, except a shorter last one. */
import { uploadChunkBytes, uploadMaxBytes } from '#contract/limits.ts'
import { throwFailure } from '../errors.ts'

/** Bytes. `number` starts at 0. */
export type UploadChunkRange = { total: number; number: number; size: number }

/**
 * @param header such as `bytes 0-5242879/12000000`
 * @throws Failure storage_invalid_content_range, storage_invalid_file_size
 */
export function parseUploadChunkRange(header: string): UploadChunkRange {
  const [, first, last, whole] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header) ?? []
  if (whole === undefined) return throwFailure('storage_invalid_content_range')
  const [start, end, total] = [Number(first), Number(last), Number(whole)]
  assertUploadTotalBytesAllowed(total)
  const expected = Math.min(start + uploadChunkBytes, total) - 1
  if (start > end || start % uploadChunkBytes !== 0 || end !== expected) {
    throwFailure('storage_invalid_content_range', {
      message: `The content range is invalid. Pieces begin at multiples of ${uploadChunkBytes} bytes and are as long, but for the last.`,
    })
  }
  return { total, number: start / uploadChunkBytes, size: end - start + 1 }
}

export function assertUploadTotalBytesAllowed(total: number): void {
  if (total > uploadMaxBytes) {
    throwFailure('storage_invalid_file_size', {
      message: `File size not allowed. A picture may have at most ${uploadMaxBytes / 1e6} MB.`,
      field: 'file',
    })
  }
}
