/** Bundles the badges in one chunk, loaded after the first paint. */
export { UnreadConversationsBadge } from '#web/features/chat/unread-conversations-badge.tsx'
export { NotificationBell } from '#web/features/notifications/notification-bell.tsx'
