/** These parts load after the first paint. */
export { CommentCount } from '#web/features/comments/comment-count.tsx'
export { TextWithMentionsAndHashtags } from '#web/features/comments/text-with-mentions-and-hashtags.tsx'
export { togglePostLikeOrSave } from './like-and-save-mutations.ts'
export { ShareButton } from './sharing/share-button.tsx'
