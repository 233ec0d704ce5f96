/** Runs as a blocking script in the head, so that no frame has the wrong theme or text size. */
import { applyAppearance, readAppearance } from './appearance.ts'

applyAppearance(readAppearance())
