/**
 * Only this worker reads SVG, and only SVG that it generates itself. No upload can therefore be read as SVG.
 */
import sharp from 'sharp'
import { drawInitialsIconOrQrCodeAsPng } from './drawing/draw-initials-icon-or-qr-code.ts'
import { runImageWorkerLoop } from './worker-loop.ts'

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeign'] })
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignSavePngBuffer'] })

runImageWorkerLoop(async (job) => {
  if (job.kind !== 'draw') throw new Error(`Not a job for icons: ${job.kind}`)
  return { png: (await drawInitialsIconOrQrCodeAsPng(job.drawing)).toString('base64') }
})
