/**
 * Runs image jobs in three pools of worker processes, by what they cost: expensive ones wait with expensive ones, and a small
 * upload does not wait for a large one that has begun.
 */
import { mkdir, rm, stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { Failure } from '../errors.ts'
import { estimateDecodeCostBytes } from './decode-cost.ts'
import type { ImageWorkerJob, ImageWorkerReply } from './worker-messages.ts'
import { createImageWorkerPool } from './worker-pool.ts'
import type { ImageWorkerLimits } from './worker-supervisor.ts'

export type ImageJob = Exclude<ImageWorkerJob, { kind: 'draw' }>

export type ImagePoolsByCost = {
  /**
   * Runs a job in the pool for its cost. What exceeds the limits there is run anew among the expensive ones.
   * @param member in whose turn it is queued
   * @param unwanted aborts when no caller waits any more; a job that has not begun is dropped
   * @throws as `ImageWorkerPool.run`
   */
  run(member: number, job: ImageJob, unwanted?: AbortSignal): Promise<ImageWorkerReply>
  /** Counts the waiting jobs. */
  waiting(): number
  /** Ends the workers; waiting jobs reject with 503. */
  close(): void
}

export type ImagePoolLimits = {
  ordinary: ImageWorkerLimits
  small: ImageWorkerLimits
  expensive: ImageWorkerLimits
  /** How long a small upload waits for an ordinary worker before it gets the one that is kept for small ones. */
  overtakeAfterMs: number
}

/** Bytes of an upload that may overtake larger ones: a photo of a few megapixels, as a phone or our own web scales it. */
const smallUploadBytes = 512 * 1024

/**
 * Announced above this, an image is expensive: a PNG of 26 megapixels, or of 13 with 16 bits a colour, or a progressive JPEG of 13.
 * A phone's photo announces 20 to 80 million, and takes a quarter of the time.
 */
const expensiveDecodeBytes = 80e6

/** How long a member whose upload took more than it announced waits among the expensive ones with all of them. */
const distrustMs = 60_000

export function createImageWorkerPoolsByCost(
  limits: ImagePoolLimits,
  ordinaryProcesses: number,
): ImagePoolsByCost {
  const program = new URL('./image-worker.ts', import.meta.url)
  const ordinary = createImageWorkerPool(program, limits.ordinary, ordinaryProcesses)
  const small = createImageWorkerPool(program, limits.small, 1)
  const expensive = createImageWorkerPool(program, limits.expensive, 1)
  /** Of each member who uploaded lately; aborts when an upload took more than it announced. */
  const trusted = new LRUCache<number, AbortController>({ max: 1000, ttl: distrustMs })

  const trustOf = (member: number): AbortController => {
    const known = trusted.get(member) ?? new AbortController()
    if (!trusted.has(member)) trusted.set(member, known)
    return known
  }

  /** @returns null when the job is to be run among the expensive ones: nothing has come of it */
  const runTrusted = async (
    member: number,
    job: ImageJob,
    unwanted: AbortSignal | undefined,
    trust: AbortController,
  ): Promise<ImageWorkerReply | null> => {
    const isSmall = job.kind === 'ingest' && (await stat(job.input)).size <= smallUploadBytes
    const overtaken = isSmall ? AbortSignal.timeout(limits.overtakeAfterMs) : undefined
    const signals = [trust.signal, unwanted, overtaken].filter((signal) => signal !== undefined)
    try {
      return await ordinary.run(member, job, AbortSignal.any(signals)).catch((thrown) => {
        if (!overtaken || thrown !== overtaken.reason) throw thrown
        return small.run(member, job, trust.signal)
      })
    } catch (thrown) {
      if (trust.signal.aborted && thrown === trust.signal.reason) return null
      if (!(thrown instanceof Failure) || thrown.type !== 'storage_image_too_large') throw thrown
      // Who looks at a picture did not choose what it costs.
      if (job.kind === 'ingest') {
        trust.abort()
        trusted.set(member, trust)
      }
      await discardResults(job)
      return null
    }
  }

  return {
    async run(member, job, unwanted) {
      const trust = trustOf(member)
      const isExpensive = (await estimateDecodeCostBytes(job.input)) > expensiveDecodeBytes
      const reply = isExpensive ? null : await runTrusted(member, job, unwanted, trust)
      return reply ?? expensive.run(member, job, unwanted)
    },
    waiting: () => ordinary.waiting() + small.waiting() + expensive.waiting(),
    close() {
      for (const pool of [ordinary, small, expensive]) pool.close()
    },
  }
}

/** Removes what a job that was ended has left, so that it can be run anew. */
async function discardResults(job: ImageJob): Promise<void> {
  if (job.kind === 'ingest') {
    await rm(job.folder, { recursive: true })
    await mkdir(job.folder, { mode: 0o700 })
  } else if (job.kind === 'sanitizeAndCrop') await rm(`${job.output}.original`, { force: true })
}
