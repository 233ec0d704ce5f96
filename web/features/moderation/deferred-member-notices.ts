/** Moderation notices for members in one rarely loaded chunk, because the first page names each chunk. */
export { HiddenPostNotice } from './hidden-post-notice.tsx'
export { ModerationNotices } from './moderation-notices.tsx'
