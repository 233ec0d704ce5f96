/** This script blocks the head, so the page never appears in the wrong theme or text size. */
import { applyAppearance, readAppearance } from './appearance.ts'

applyAppearance(readAppearance())
