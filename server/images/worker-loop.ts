/**
 * An image that exploits or crashes libvips finds no secrets and ends only this worker process. The main
 * thread can watch the memory, because libvips uses other threads.
 */
import { Failure } from '../errors.ts'
import type { ImageWorkerJob, ImageWorkerJobResult, ImageWorkerReply } from './worker-messages.ts'

const maxMemory = Number(process.argv[2])
const memoryCheckMs = 20

/** libvips reports a full disk only in the message. */
const codeOf = (message: string) => (message.includes('No space left on device') ? 'ENOSPC' : undefined)

export function runImageWorkerLoop(work: (job: ImageWorkerJob) => Promise<ImageWorkerJobResult>): void {
  const answerTo = async (job: ImageWorkerJob): Promise<ImageWorkerReply> => {
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
    // SIGKILL is also the signal of the kernel's out-of-memory killer, so the parent treats both alike.
    if (process.memoryUsage.rss() > maxMemory) process.kill(process.pid, 'SIGKILL')
  }, memoryCheckMs)

  // Ctrl-C reaches the whole process group, but the parent finishes its work first.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', async (job: ImageWorkerJob) => process.send?.(await answerTo(job)))
  process.send?.('ready')
}
