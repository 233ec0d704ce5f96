/** A few processes for pictures, and who of the members is next in line for them. */
import { Failure } from '../errors.ts'
import { createDecoder, type DecoderLimits } from './decoder.ts'
import { createFairQueue } from './fair-queue.ts'
import type { Answer, Job } from './jobs.ts'

export type Pool = {
  /**
   * An upload goes before whatever is made for somebody who looks: sent again it would cost her more.
   * @param member whose turn it takes
   * @param unwanted aborted when nobody waits for it any more; a job that has not begun is dropped then
   * @throws Failure general_service_unavailable when too many wait, the reason of `unwanted` when it was dropped, and
   * whatever `Decoder.run` says
   */
  run(member: number, job: Job, unwanted?: AbortSignal): Promise<Answer>
  /** How many wait for a process. */
  waiting(): number
  /** Ends the processes; whoever waits is told to try again. */
  close(): void
}

/** @param program what the processes run */
export function createPool(program: URL, limits: DecoderLimits, processes: number): Pool {
  type Waiting = { job: Job; resolve: (answer: Answer) => void; reject: (reason: unknown) => void }
  const uploads = createFairQueue<Waiting>(room)
  const looks = createFairQueue<Waiting>(room)
  const free = Array.from({ length: processes }, () => createDecoder(program, limits))
  const all = [...free]
  let closed = false

  const next = async (): Promise<void> => {
    const decoder = free.pop()
    const waiting = decoder && (uploads.shift() ?? looks.shift())
    if (!decoder || !waiting) {
      if (decoder) free.push(decoder)
      return
    }
    await (closed ? Promise.reject(busy()) : decoder.run(waiting.job)).then(waiting.resolve, waiting.reject)
    free.push(decoder)
    void next()
  }

  return {
    run: (member, job, unwanted) =>
      new Promise<Answer>((resolve, reject) => {
        if (unwanted?.aborted) return reject(unwanted.reason)
        const queue = job.kind === 'take' ? uploads : looks
        const waiting = { job, resolve, reject }
        if (!queue.push(member, waiting)) return reject(busy())
        const drop = () => {
          if (queue.remove(member, waiting)) reject(unwanted?.reason)
        }
        unwanted?.addEventListener('abort', drop, { once: true })
        void next()
      }),
    waiting: () => uploads.size + looks.size,
    close() {
      closed = true
      for (const decoder of all) decoder.stop()
    },
  }
}

const room = { total: 100, perMember: 20 }

/** Whoever comes when too many pictures wait. */
export const busy = () =>
  new Failure('general_service_unavailable', {
    message: 'Too many pictures are being processed. Please try again in a moment.',
    retryAfter: 5,
  })
