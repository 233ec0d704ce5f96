/** The pool takes jobs fairly from each caller's queue. */
import {
  createFairQueue,
  type FairQueue,
  type FairQueueCaller,
  type FairQueueLimits,
} from '../concurrency/fair-queue.ts'
import { Failure } from '../errors.ts'
import type { ImageWorkerJob, ImageWorkerReply } from './worker-messages.ts'
import { createWorkerSupervisor, type ImageWorkerLimits } from './worker-supervisor.ts'

export type ImageWorkerPool = {
  /**
   * Runs the job. Uploads go first, because clients repeat them at the highest cost.
   * @param caller in whose queue the job waits
   * @param unwanted aborts when no caller waits; a job that has not started is dropped
   * @throws Failure general_service_unavailable if the queue is full, or callers with fewer jobs displace the
   * job; the reason of `unwanted`; errors of `WorkerSupervisor.run`
   */
  run(caller: FairQueueCaller, job: ImageWorkerJob, unwanted?: AbortSignal): Promise<ImageWorkerReply>
  waiting(): number
  /** Makes waiting jobs reject with 503. */
  close(): void
}

export function createImageWorkerPool(
  program: URL,
  limits: ImageWorkerLimits,
  processes: number,
  queueLimits: FairQueueLimits = defaultQueueLimits,
): ImageWorkerPool {
  type Waiting = {
    caller: FairQueueCaller
    queue: FairQueue<Waiting>
    job: ImageWorkerJob
    resolve: (answer: ImageWorkerReply) => void
    reject: (reason: unknown) => void
  }
  const uploads = createFairQueue<Waiting>(queueLimits)
  const renders = createFairQueue<Waiting>(queueLimits)
  const free = Array.from({ length: processes }, () => createWorkerSupervisor(program, limits))
  const all = [...free]
  let closed = false

  const next = async (): Promise<void> => {
    const worker = free.pop()
    const waiting = worker && (uploads.shift() ?? renders.shift())
    if (!worker || !waiting) {
      if (worker) free.push(worker)
      return
    }
    const started = performance.now()
    await (closed ? Promise.reject(createQueueFullFailure()) : worker.run(waiting.job)).then(
      waiting.resolve,
      waiting.reject,
    )
    waiting.queue.charge(waiting.caller, performance.now() - started)
    free.push(worker)
    void next()
  }

  return {
    run: (caller, job, unwanted) =>
      new Promise<ImageWorkerReply>((resolve, reject) => {
        if (unwanted?.aborted) return reject(unwanted.reason)
        const queue = job.kind === 'ingest' ? uploads : renders
        const waiting = { caller, queue, job, resolve, reject }
        if (!queue.push(caller, waiting)) {
          const displaced = queue.displace(caller)
          if (!displaced) return reject(createQueueFullFailure())
          displaced.reject(createQueueFullFailure())
          queue.push(caller, waiting)
        }
        const drop = () => {
          if (queue.remove(caller, waiting)) reject(unwanted?.reason)
        }
        unwanted?.addEventListener('abort', drop, { once: true })
        void next()
      }),
    waiting: () => uploads.size + renders.size,
    close() {
      closed = true
      for (const decoder of all) decoder.stop()
    },
  }
}

const defaultQueueLimits: FairQueueLimits = { total: 100, perCaller: 20 }

export const createQueueFullFailure = () =>
  new Failure('general_service_unavailable', {
    message: 'Too many pictures are being processed. Please try again in a moment.',
    retryAfter: 5,
  })
