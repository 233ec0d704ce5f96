import { trustedWorkerUrl } from '#web/trusted-worker-url.ts'
import type { HeifAnswer, HeifRequest } from './heif-messages.ts'

/** Decoding 12 megapixels takes about three seconds. */
const decodeTimeoutMs = 20_000

/** Terminates the worker afterwards, even if it hangs. */
export function convertHeifToJpegInWorker(request: HeifRequest): Promise<HeifAnswer> {
  const worker = new Worker(trustedWorkerUrl('heif'))
  let timer = 0
  return new Promise<HeifAnswer>((resolve) => {
    timer = window.setTimeout(() => resolve({ refused: 'damaged' }), decodeTimeoutMs)
    worker.onmessage = ({ data }: MessageEvent<HeifAnswer>) => resolve(data)
    worker.onerror = () => resolve({ refused: 'damaged' })
    worker.postMessage(request)
  }).finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}
