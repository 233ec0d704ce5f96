/** The process that sees members' pictures. */
import { adopt, compose, take, vary } from './decode.ts'
import { serveJobs } from './serve-jobs.ts'

serveJobs(async (job) => {
  switch (job.kind) {
    case 'take':
      return take(job.input, job.folder)
    case 'vary':
      return vary(job.input, job.output, job)
    case 'compose':
      return compose(job.input, job.output, job.composition)
    case 'adopt':
      return adopt(job.input, job.output, job)
    default:
      throw new Error(`Not a job for members' pictures: ${job.kind}`)
  }
})
