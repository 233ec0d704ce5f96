import { trustedWorkerUrl } from '#web/trusted-worker-url.ts'
import type { HeifAnswer, HeifRequest } from './heif-messages.ts'

/** A photo of 12 megapixels takes some three seconds; what takes this long is no photo. */
const decodeTimeoutMs = 20_000

/** Decodes in a worker that lives for one photo; one that does not answer is ended. */
export function decodeHeifInWorker(request: HeifRequest): Promise<HeifAnswer> {
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
