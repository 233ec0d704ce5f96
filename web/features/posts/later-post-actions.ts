/** What the buttons of a post need after the first paint. */
export { CommentCount } from '#web/features/comments/comment-count.tsx'
export { togglePostLikeOrSave } from './like-and-save-mutations.ts'
export { ShareButton } from './sharing/share-button.tsx'
