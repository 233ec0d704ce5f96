/**
 * Worker processes take jobs fairly from each caller's queue. A malicious or very large image ends only a worker.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import {
  createFairQueue,
  type FairQueue,
  type FairQueueCaller,
  type FairQueueLimits,
} from '../concurrency/fair-queue.ts'
import { Failure } from '../errors.ts'
import type { ImageWorkerJob, ImageWorkerReply } from './worker-loop.ts'

export type ImageWorkerLimits = {
  memory: number
  /** Milliseconds of processor time per job, without the process's start. Time waiting for a busy machine is free. */
  time: number
  /** Milliseconds without a job, after which the process ends. */
  idle: number
  /** A niceness as for nice(1), 0 by default. */
  niceness?: number
}

export type ImageWorkerPool = {
  /**
   * Runs the job. Uploads go first, because clients repeat them at the highest cost.
   * @param caller in whose queue the job waits
   * @param unwanted aborts when no caller waits; a job that has not started is dropped
   * @throws Failure general_service_unavailable if the queue is full, or callers with fewer jobs displace the
   * job; the reason of `unwanted`; errors of `Worker.run`
   */
  run(caller: FairQueueCaller, job: ImageWorkerJob, unwanted?: AbortSignal): Promise<ImageWorkerReply>
  waiting(): number
  /** Makes waiting jobs reject with 503. */
  close(): void
}

/** @param program the workers' script */
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
  const free = Array.from({ length: processes }, () => createWorker(program, limits))
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
      for (const worker of all) worker.stop()
    },
  }
}

const defaultQueueLimits: FairQueueLimits = { total: 100, perCaller: 20 }

export const createQueueFullFailure = () =>
  new Failure('general_service_unavailable', {
    message: 'Too many pictures are being processed. Please try again in a moment.',
    retryAfter: 5,
  })

type Worker = {
  /**
   * Runs one job at a time.
   * @throws Failure storage_image_too_large above a limit, storage_file_damaged after a crash,
   * general_service_unavailable if the process does not start or is stopped
   */
  run(job: ImageWorkerJob): Promise<ImageWorkerReply>
  stop(): void
}

const startTimeoutMs = 20_000

/** A job may wait for a busy machine this long, or twice its processor time if that is longer. */
const longestWaitMs = 20_000
const shortestCheckMs = 20

const leastPriority = 19

/** libvips releases memory late, so a new process is cheaper. */
const recycleAboveBytes = 250e6

/** Starts the process on demand, and again after a crash. */
function createWorker(program: URL, limits: ImageWorkerLimits): Worker {
  let child: Child | null = null
  let idle: NodeJS.Timeout | undefined

  const stop = () => {
    clearTimeout(idle)
    if (!child) return
    child.stopped = true
    child.process.kill('SIGKILL')
    child = null
  }

  const begin = () => {
    const begun = start(program, limits)
    begun.process.once('exit', () => {
      if (child === begun) child = null
    })
    return begun
  }

  return {
    async run(job) {
      clearTimeout(idle)
      child ??= begin()
      try {
        const answer = await ask(child, job, limits.time)
        if (answer.rss > recycleAboveBytes) stop()
        else idle = setTimeout(stop, limits.idle).unref()
        return answer
      } catch (thrown) {
        stop()
        throw thrown
      }
    },
    stop,
  }
}

type Child = {
  process: ChildProcess
  ready: boolean
  /** The server stopped the process, whatever it was doing. */
  stopped: boolean
  stderr: string
}

function start(program: URL, { memory, niceness = 0 }: ImageWorkerLimits): Child {
  const process = fork(program, [String(memory)], {
    // The server's environment contains secrets.
    env: { MALLOC_ARENA_MAX: '2', VIPS_CONCURRENCY: '1' },
    execArgv: ['--max-old-space-size=128'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // Linux sets the priority per thread, and threads that start later inherit it.
  if (process.pid !== undefined && niceness > 0) lowerPriority(process.pid, niceness)
  const child: Child = { process, ready: false, stopped: false, stderr: '' }
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    child.stderr = (child.stderr + text).slice(-2000)
  })
  process.on('message', (message) => {
    if (message === 'ready') child.ready = true
  })
  process.unref()
  process.channel?.unref()
  return child
}

/** A sandbox may forbid changing the priority. */
function lowerPriority(pid: number, niceness: number): void {
  try {
    os.setPriority(pid, Math.min(leastPriority, os.getPriority() + niceness))
  } catch {}
}

function ask(child: Child, job: ImageWorkerJob, time: number): Promise<ImageWorkerReply> {
  const { process } = child
  return new Promise<ImageWorkerReply>((resolve, reject) => {
    let late = false
    let usedBefore: number
    let began: number
    let timer: NodeJS.Timeout
    const startLimit = (firstCheckMs: number) => {
      usedBefore = readProcessorMs(process)
      began = performance.now()
      timer = setTimeout(expire, firstCheckMs)
    }
    const expire = () => {
      const used = readProcessorMs(process) - usedBefore
      const waited = performance.now() - began
      const left = Math.min(time - used, Math.max(2 * time, longestWaitMs) - waited)
      if (left > 0) {
        timer = setTimeout(expire, Math.max(left, shortestCheckMs))
        return
      }
      late = true
      process.kill('SIGKILL')
    }
    startLimit(child.ready ? time : Math.max(time, startTimeoutMs))
    const settle = (act: () => void) => {
      clearTimeout(timer)
      process.off('message', onMessage).off('exit', onExit).off('error', onError)
      act()
    }
    const onMessage = (message: unknown) => {
      if (message !== 'ready') return settle(() => resolve(message as ImageWorkerReply))
      clearTimeout(timer)
      startLimit(time)
    }
    const onExit = (_code: number | null, signal: string | null) =>
      settle(() => reject(toFailure(child, late || signal === 'SIGKILL')))
    const onError = (cause: unknown) => settle(() => reject(unavailable(cause)))
    process.on('message', onMessage).on('exit', onExit).on('error', onError)
    process.send(job, (cause) => {
      // In other cases, the process has already emitted `exit`.
      if (cause && process.pid === undefined) onError(cause)
    })
  })
}

/**
 * Linux counts in hundredths of a second. Other systems give no value, so the limit there applies to elapsed
 * time.
 */
function readProcessorMs({ pid }: ChildProcess): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return performance.now()
  }
}

function toFailure(child: Child, killed: boolean): Failure {
  const cause = new Error(`The image worker died. ${child.stderr}`)
  if (child.stopped || !child.ready) return unavailable(cause)
  if (!killed) return new Failure('storage_file_damaged', { cause })
  return new Failure('storage_image_too_large', {
    message: 'The picture is too large to be processed.',
    cause,
  })
}

const unavailable = (cause: unknown) => new Failure('general_service_unavailable', { retryAfter: 30, cause })
