/** An image processor with generous limits. */
import {
  createImageProcessor,
  defaultImageLimits,
  type ImageProcessor,
} from '#server/files/image-processor.ts'
import type { ImagePoolLimits } from '#server/images/worker-pools-by-cost.ts'
import { patienceMs } from './wait-for.ts'

const { ordinary, small, expensive, overtakeAfterMs } = defaultImageLimits
/** With the server's priority, because its tests wait for each picture. */
const patientLimits: ImagePoolLimits = {
  ordinary: { ...ordinary, niceness: 0 },
  small: { ...small, niceness: 0 },
  expensive: { ...expensive, niceness: 0, time: patienceMs },
  overtakeAfterMs,
}

let shared: ImageProcessor | undefined

/** One for all servers of a test process, because starting the workers costs more than most tests. */
export function sharedPatientImageProcessor(): ImageProcessor {
  shared ??= createImageProcessor({ limits: patientLimits })
  return { ...shared, close() {} }
}
