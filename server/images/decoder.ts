/** One decoder process from the server's side: started when needed, ended when idle, replaced when it died. */
import { type ChildProcess, fork } from 'node:child_process'
import { Failure } from '../errors.ts'
import type { Answer, Job } from './jobs.ts'

export type DecoderLimits = {
  /** Resident bytes of the process. */
  memory: number
  /** Milliseconds for one job. */
  time: number
  /** Milliseconds without a job after which it ends. */
  idle: number
}

export type Decoder = {
  /**
   * One job at a time.
   * @throws Failure storage_image_too_large when a limit ended the process, storage_file_damaged when it crashed,
   * general_service_unavailable when it does not start or is stopped
   */
  run(job: Job): Promise<Answer>
  stop(): void
}

/** libvips gives memory back late; past this much a fresh process is cheaper. */
const tiredAt = 250e6

/** @param program what the process runs */
export function createDecoder(program: URL, limits: DecoderLimits): Decoder {
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
    const begun = start(program, limits.memory)
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
        if (answer.rss > tiredAt) stop()
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
  /** By us, whatever it was doing. */
  stopped: boolean
  stderr: string
}

function start(program: URL, memory: number): Child {
  const process = fork(program, [String(memory)], {
    // Not ours: the connection strings and keys in it are nothing a decoder needs.
    env: { MALLOC_ARENA_MAX: '2', VIPS_CONCURRENCY: '1' },
    execArgv: ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
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

function ask(child: Child, job: Job, time: number): Promise<Answer> {
  const { process } = child
  return new Promise<Answer>((resolve, reject) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      process.kill('SIGKILL')
    }, time)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      process.off('message', onMessage).off('exit', onExit).off('error', onError)
      act()
    }
    const onMessage = (message: unknown) => {
      if (message !== 'ready') settle(() => resolve(message as Answer))
    }
    const onExit = (_code: number | null, signal: string | null) =>
      settle(() => reject(causeOfDeath(child, late || signal === 'SIGKILL')))
    const onError = (cause: unknown) => settle(() => reject(unavailable(cause)))
    process.on('message', onMessage).on('exit', onExit).on('error', onError)
    process.send(job, (cause) => {
      // A process that is gone has said so by its exit; this one never was.
      if (cause && process.pid === undefined) onError(cause)
    })
  })
}

function causeOfDeath(child: Child, killed: boolean): Failure {
  const cause = new Error(`The decoder died. ${child.stderr}`)
  if (child.stopped) return unavailable(cause)
  if (killed) {
    return new Failure('storage_image_too_large', {
      message: 'The picture is too large to be processed.',
      cause,
    })
  }
  return child.ready ? new Failure('storage_file_damaged', { cause }) : unavailable(cause)
}

const unavailable = (cause: unknown) => new Failure('general_service_unavailable', { retryAfter: 30, cause })
