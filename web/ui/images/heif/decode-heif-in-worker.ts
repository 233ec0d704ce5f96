import { trustedWorkerUrl } from '#web/trusted-worker-url.ts'
import type { HeifAnswer, HeifRequest } from './heif-messages.ts'

/** 12 megapixels take about three seconds; a longer decode is aborted. */
const decodeTimeoutMs = 20_000

/** Decodes in a worker used for one photo; a hung worker is terminated. */
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
