/** Exports the badges of the navigation, so that they load in one chunk after the first paint. */
export { UnreadConversationsBadge } from '#web/features/chat/unread-conversations-badge.tsx'
export { NotificationBell } from '#web/features/notifications/notification-bell.tsx'
