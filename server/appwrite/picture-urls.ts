import type { Config } from '../config.ts'
import { chooseProductInitialsColor } from '../images/drawing/initials-and-color.ts'
import { appwriteBucketId } from './project-guard.ts'

const base = (config: Config) => `${config.publicUrl ?? ''}/v1`

/** Clients add `?width=` to select a variant. */
export const buildAppwriteFilePreviewUrl = (config: Config, fileId: string): string =>
  `${base(config)}/storage/buckets/${appwriteBucketId}/files/${encodeURIComponent(fileId)}/preview`

export const buildAppwriteProfilePictureUrl = (
  config: Config,
  name: string,
  fileId: string | null,
): string =>
  fileId === null
    ? `${base(config)}/avatars/initials?name=${encodeURIComponent(name)}&background=${chooseProductInitialsColor(name)}&bold=1`
    : buildAppwriteFilePreviewUrl(config, fileId)
