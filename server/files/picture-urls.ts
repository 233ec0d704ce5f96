import { imageVariantWidthsPx } from '#contract/limits.ts'
import type { Config } from '../config.ts'

const base = (config: Config) => `${config.publicUrl ?? ''}/v1`

/** The URL points to the greatest width. Clients can change its `width`. */
export const buildPictureUrl = (config: Config, fileId: string): string =>
  `${base(config)}/files/${encodeURIComponent(fileId)}/content?width=${imageVariantWidthsPx.at(-1)}`

/** Without a picture, points to initials. */
export const buildProfilePictureUrl = (config: Config, name: string, fileId: string | null): string =>
  fileId === null
    ? `${base(config)}/people/avatars/initials?name=${encodeURIComponent(name)}`
    : buildPictureUrl(config, fileId)
