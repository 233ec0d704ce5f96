/** Where clients find the images: of a file, and of a member without one. */
import { imageVariantWidthsPx } from '#contract/limits.ts'
import type { Config } from '../config.ts'

const base = (config: Config) => `${config.publicUrl ?? ''}/v1`

/** Returns the address of an image at its greatest width; another `width` picks another variant. */
export const buildPictureUrl = (config: Config, fileId: string): string =>
  `${base(config)}/files/${encodeURIComponent(fileId)}/content?width=${imageVariantWidthsPx.at(-1)}`

/** Returns the address of a member's picture, or of the initials: made when read and never stored. */
export const buildProfilePictureUrl = (config: Config, name: string, fileId: string | null): string =>
  fileId === null
    ? `${base(config)}/people/avatars/initials?name=${encodeURIComponent(name)}`
    : buildPictureUrl(config, fileId)
