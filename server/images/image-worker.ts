import {
  ingestUploadedImage,
  renderImageVariant,
  renderWithOptions,
  sanitizeAndCropImage,
} from './image-operations.ts'
import { runImageWorkerLoop } from './worker-loop.ts'

runImageWorkerLoop(async (job) => {
  switch (job.kind) {
    case 'ingest':
      return ingestUploadedImage(job.input, job.folder)
    case 'resize':
      return renderImageVariant(job.input, job.output, job)
    case 'render':
      return renderWithOptions(job.input, job.output, job.composition)
    case 'sanitizeAndCrop':
      return sanitizeAndCropImage(job.input, job.output, job)
    default:
      throw new Error(`Not a job for images: ${job.kind}`)
  }
})
