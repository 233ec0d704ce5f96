/** Where clients find the images: of a file, and of a member without one. */
import { imageWidthsPx } from '#contract/limits.ts'
import type { Config } from '../config.ts'

const base = (config: Config) => `${config.publicUrl ?? ''}/v1`

/** Returns the address of an image at its greatest width; another `width` picks another variant. */
export const pictureUrl = (config: Config, fileId: string): string =>
  `${base(config)}/files/${encodeURIComponent(fileId)}/content?width=${imageWidthsPx.at(-1)}`

/** Six calm grounds for initials (design tokens tint-1 … tint-6). */
const tints = ['f8c9d6', 'd8d0f5', 'fbdca6', 'cbe6d3', 'c9e2f2', 'f6cfb8'] as const

/** Chooses a ground by the sum of the letters' codes, so that a name keeps its own. @returns six hex digits */
export function pickInitialsBackgroundColour(name: string): string {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return tints[sum % tints.length] as string
}

/** Returns the address of a member's picture, or of the initials: made when read and never stored. */
export const profilePictureUrl = (config: Config, name: string, fileId: string | null): string =>
  fileId === null
    ? `${base(config)}/people/avatars/initials?name=${encodeURIComponent(name)}`
    : pictureUrl(config, fileId)
