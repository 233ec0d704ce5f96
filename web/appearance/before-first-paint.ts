/** Runs as a blocking script in the page's head, so that no frame is painted in another theme or size than the one chosen. */
import { applyAppearance, readAppearance } from './appearance.ts'

applyAppearance(readAppearance())
