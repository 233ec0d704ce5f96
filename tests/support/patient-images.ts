/** An image processor for tests: a picture is not too large because the machine is slow. */
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
