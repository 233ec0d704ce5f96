/** Separate pools keep small uploads from waiting for large ones. */
import { mkdir, rm, stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { Failure } from '../errors.ts'
import { estimateDecodeCostBytes } from './decode-cost.ts'
import type { ImageWorkerJob, ImageWorkerReply } from './worker-loop.ts'
import { createImageWorkerPool, type ImageWorkerLimits } from './worker-pool.ts'

export type ImageJob = Exclude<ImageWorkerJob, { kind: 'draw' }>

export type ImagePoolsByCost = {
  /**
   * Runs the job. If it exceeds the limits, it is repeated in the expensive pool.
   * @param member in whose queue the job waits
   * @param unwanted as for `ImageWorkerPool.run`
   * @throws as `ImageWorkerPool.run`
   */
  run(member: number, job: ImageJob, unwanted?: AbortSignal): Promise<ImageWorkerReply>
  waiting(): number
  close(): void
}

export type ImagePoolLimits = {
  ordinary: ImageWorkerLimits
  small: ImageWorkerLimits
  expensive: ImageWorkerLimits
  /** After waiting this long, a small upload is taken by the reserved worker. */
  overtakeAfterMs: number
}

/** A few megapixels, as phones and our web app scale photos. */
const smallUploadBytes = 512 * 1024

/**
 * A PNG of 26 megapixels (13 with 16-bit colour) or a progressive JPEG of 13. A phone's photo costs 20 to 80
 * million.
 */
const expensiveDecodeBytes = 80e6

/** If an image exceeded its estimate, all its member's images use the expensive pool for this long. */
const distrustMs = 60_000

export function createImageWorkerPoolsByCost(
  limits: ImagePoolLimits,
  ordinaryProcesses: number,
): ImagePoolsByCost {
  const program = new URL('./image-worker.ts', import.meta.url)
  const ordinary = createImageWorkerPool(program, limits.ordinary, ordinaryProcesses)
  const small = createImageWorkerPool(program, limits.small, 1)
  const expensive = createImageWorkerPool(program, limits.expensive, 1)
  /** Members who uploaded recently. Their controller aborts when an upload exceeds its estimate. */
  const trusted = new LRUCache<number, AbortController>({ max: 1000, ttl: distrustMs })

  const trustOf = (member: number): AbortController => {
    const known = trusted.get(member) ?? new AbortController()
    if (!trusted.has(member)) trusted.set(member, known)
    return known
  }

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
      // Only an uploader chooses an image's cost.
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

/** Call this before the job is repeated. */
async function discardResults(job: ImageJob): Promise<void> {
  if (job.kind === 'ingest') {
    await rm(job.folder, { recursive: true })
    await mkdir(job.folder, { mode: 0o700 })
  } else if (job.kind === 'sanitizeAndCrop') await rm(`${job.output}.original`, { force: true })
}
