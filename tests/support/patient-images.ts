/** An image processor with generous limits. */
import {
  createImageProcessor,
  defaultImageLimits,
  type ImageProcessor,
} from '#server/files/image-processor.ts'
import { patienceMs } from './wait-for.ts'

export const createPatientImageProcessor = (): ImageProcessor =>
  createImageProcessor({
    limits: { ...defaultImageLimits, expensive: { ...defaultImageLimits.expensive, time: patienceMs } },
  })
