import {
  createImageProcessor,
  defaultImageLimits,
  type ImagePoolLimits,
  type ImageProcessor,
} from '#server/images/image-processor.ts'
import { patienceMs } from './wait-for.ts'

const { ordinary, small, expensive, overtakeAfterMs } = defaultImageLimits
/** Tests wait for each picture, so the workers have the server's priority. */
const patientLimits: ImagePoolLimits = {
  ordinary: { ...ordinary, niceness: 0 },
  small: { ...small, niceness: 0 },
  expensive: { ...expensive, niceness: 0, time: patienceMs },
  overtakeAfterMs,
}

let shared: ImageProcessor | undefined

/** The processor is shared, because starting its workers takes longer than most tests. */
export function sharedPatientImageProcessor(): ImageProcessor {
  shared ??= createImageProcessor({ limits: patientLimits })
  return { ...shared, close() {} }
}
