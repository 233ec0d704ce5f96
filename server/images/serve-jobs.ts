/**
 * A process of its own for what a picture may do to libvips (security reference M4): it has no secrets in its
 * environment, does one job at a time, and dies alone. Its parent kills it when a job takes too long; too much memory it
 * notices itself, because its own thread is idle while libvips works.
 */
import { Failure } from '../errors.ts'
import type { Answer, Done, Job } from './jobs.ts'

const maxMemory = Number(process.argv[2])
const memoryCheckMs = 20

/** libvips says by sentence alone that the disk is full. */
const codeOf = (message: string) => (message.includes('No space left on device') ? 'ENOSPC' : undefined)

/** Answers the parent's jobs, for as long as it is there. */
export function serveJobs(work: (job: Job) => Promise<Done>): void {
  const answerTo = async (job: Job): Promise<Answer> => {
    try {
      return { done: await work(job), rss: process.memoryUsage.rss() }
    } catch (thrown) {
      const rss = process.memoryUsage.rss()
      if (thrown instanceof Failure) return { refused: thrown.type, message: thrown.message, rss }
      const { message, code } = thrown as NodeJS.ErrnoException
      return { failed: message, code: code ?? codeOf(message), rss }
    }
  }

  setInterval(() => {
    // Killed by the kernel or by us, the parent sees the same signal.
    if (process.memoryUsage.rss() > maxMemory) process.kill(process.pid, 'SIGKILL')
  }, memoryCheckMs)

  // A terminal's Ctrl-C reaches every process: the parent drains first and then ends us.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', async (job: Job) => process.send?.(await answerTo(job)))
  process.send?.('ready')
}
