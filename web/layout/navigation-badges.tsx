/** The parts of the navigation that count, in one chunk, which loads after the first paint. */
export { UnreadConversationsBadge } from '#web/features/chat/unread-conversations-badge.tsx'
export { NotificationBell } from '#web/features/notifications/notification-bell.tsx'
