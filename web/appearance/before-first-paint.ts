/** Runs as a blocking script in the head, so that the page never appears in the wrong theme or text size. */
import { applyAppearance, readAppearance } from './appearance.ts'

applyAppearance(readAppearance())
