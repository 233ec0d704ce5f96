/** A few processes for pictures, and who of the members is next in line for them. */
import { Failure } from '../errors.ts'
import { createDecoder, type DecoderLimits } from './decoder.ts'
import { createFairQueue } from './fair-queue.ts'
import type { Answer, Job } from './jobs.ts'

export type Pool = {
  /**
   * @param member whose turn it takes
   * @throws Failure general_service_unavailable when too many wait, and whatever `Decoder.run` says
   */
  run(member: number, job: Job): Promise<Answer>
  /** How many wait for a process. */
  waiting(): number
  /** Ends the processes; whoever waits is told to try again. */
  close(): void
}

/** @param program what the processes run */
export function createPool(program: URL, limits: DecoderLimits, processes: number): Pool {
  type Waiting = { job: Job; resolve: (answer: Answer) => void; reject: (reason: unknown) => void }
  const queue = createFairQueue<Waiting>({ total: 100, perMember: 20 })
  const free = Array.from({ length: processes }, () => createDecoder(program, limits))
  const all = [...free]
  let closed = false

  const next = async (): Promise<void> => {
    const decoder = free.pop()
    const waiting = decoder && queue.shift()
    if (!decoder || !waiting) {
      if (decoder) free.push(decoder)
      return
    }
    await (closed ? Promise.reject(busy()) : decoder.run(waiting.job)).then(waiting.resolve, waiting.reject)
    free.push(decoder)
    void next()
  }

  return {
    run: (member, job) =>
      new Promise<Answer>((resolve, reject) => {
        if (!queue.push(member, { job, resolve, reject })) reject(busy())
        else void next()
      }),
    waiting: () => queue.size,
    close() {
      closed = true
      for (const decoder of all) decoder.stop()
    },
  }
}

const busy = () =>
  new Failure('general_service_unavailable', {
    message: 'Too many pictures are being processed. Please try again in a moment.',
    retryAfter: 5,
  })
