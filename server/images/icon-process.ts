/**
 * The process that draws our own icons. It alone may read SVG, and apart from the rest because SVG is what nobody else's
 * picture may ever be.
 */
import sharp from 'sharp'
import { iconSvg } from '../drawing/icons.ts'
import { serveJobs } from './serve-jobs.ts'

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeign'] })
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignSavePngFile'] })

/** Pixels per inch at which a unit of SVG is a pixel. */
const plainDensity = 72

serveJobs(async (job) => {
  if (job.kind !== 'icon') throw new Error(`Not a job for icons: ${job.kind}`)
  const { svg, side } = await iconSvg(job.icon)
  const { width, height } = job
  const density = Math.max(1, (plainDensity * Math.max(width, height)) / side)
  await sharp(Buffer.from(svg), { density }).resize({ width, height, fit: 'cover' }).png().toFile(job.output)
  return true
})
