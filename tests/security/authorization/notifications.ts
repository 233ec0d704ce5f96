import {
  getNotificationPreferencesOperation,
  updateNotificationPreferencesOperation,
} from '#contract/notifications/notification-preferences.ts'
import {
  countNotificationsOperation,
  listNotificationsOperation,
  markNotificationsReadOperation,
  markNotificationsSeenOperation,
} from '#contract/notifications/notifications.ts'
import {
  type AccessAttempt,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

export const notificationAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('NO1', {
    listNotifications: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listNotificationsOperation, { limit: 100 }), cast.notification),
  }),
  ...defineWriteAttempts('NO2', {
    markNotificationsRead: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(markNotificationsReadOperation, { upTo: 1_000_000, ids: [cast.notification] }),
      ),
  }),
  ...defineReadAttempts('NO3', {
    countNotifications: async (who) => toMatrixOutcome(await who.ask(countNotificationsOperation, {})),
    markNotificationsSeen: async (who) =>
      toMatrixOutcome(await who.ask(markNotificationsSeenOperation, { upTo: 0 })),
  }),
  ...defineReadAttempts('NO4', {
    getNotificationPreferences: async (who) =>
      toMatrixOutcome(await who.ask(getNotificationPreferencesOperation, {})),
    updateNotificationPreferences: async (who) =>
      toMatrixOutcome(
        await who.ask(updateNotificationPreferencesOperation, { kinds: ['like'], enabled: true }),
      ),
  }),
]
