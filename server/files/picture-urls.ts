/** Builds the URLs of images and initials. */
import { imageVariantWidthsPx } from '#contract/limits.ts'
import type { Config } from '../config.ts'

const base = (config: Config) => `${config.publicUrl ?? ''}/v1`

/** Returns the URL of an image in its greatest width. Clients can change the parameter `width`. */
export const buildPictureUrl = (config: Config, fileId: string): string =>
  `${base(config)}/files/${encodeURIComponent(fileId)}/content?width=${imageVariantWidthsPx.at(-1)}`

/**
 * Returns the URL of a member's picture. Without a picture, it is the URL of their initials, which are drawn on
 * request.
 */
export const buildProfilePictureUrl = (config: Config, name: string, fileId: string | null): string =>
  fileId === null
    ? `${base(config)}/people/avatars/initials?name=${encodeURIComponent(name)}`
    : buildPictureUrl(config, fileId)
