/** URLs of files' images and initials. */
import { imageVariantWidthsPx } from '#contract/limits.ts'
import type { Config } from '../config.ts'

const base = (config: Config) => `${config.publicUrl ?? ''}/v1`

/** Returns an image's URL at its greatest width; `width` selects another variant. */
export const buildPictureUrl = (config: Config, fileId: string): string =>
  `${base(config)}/files/${encodeURIComponent(fileId)}/content?width=${imageVariantWidthsPx.at(-1)}`

/** Returns a member's picture URL, or that of their initials, computed when read. */
export const buildProfilePictureUrl = (config: Config, name: string, fileId: string | null): string =>
  fileId === null
    ? `${base(config)}/people/avatars/initials?name=${encodeURIComponent(name)}`
    : buildPictureUrl(config, fileId)
