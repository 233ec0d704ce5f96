/** What members meet of moderation, as one part: each is seldom needed, and the name of every part stands in the first page. */
export { HiddenPostNotice } from './hidden-post-notice.tsx'
export { ModerationNotices } from './moderation-notices.tsx'
