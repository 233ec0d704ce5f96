/** Every operation of the product. The server, the OpenAPI page and the tests walk this list. */

import * as accountSettings from './account-settings.ts'
import * as audience from './audience/audience.ts'
import * as blocks from './blocks.ts'
import * as conversations from './chat/conversations.ts'
import * as messageRequests from './chat/message-requests.ts'
import * as emailLinks from './email-links.ts'
import * as files from './files.ts'
import * as followRequests from './follow-requests.ts'
import * as groupMembers from './group-members.ts'
import * as groupRequests from './group-requests.ts'
import * as groups from './groups.ts'
import * as appeals from './moderation/appeals.ts'
import * as cases from './moderation/cases.ts'
import * as groupReports from './moderation/group-reports.ts'
import * as reports from './moderation/reports.ts'
import * as mutesAndRestrictions from './mutes-and-restrictions.ts'
import * as notificationPreferences from './notifications/notification-preferences.ts'
import * as notifications from './notifications/notifications.ts'
import type { Operation } from './operation.ts'
import * as people from './people.ts'
import * as posts from './posts.ts'
import * as privacySettings from './privacy-settings.ts'
import * as realtime from './realtime.ts'
import * as signUpAndSignIn from './sign-up-and-sign-in.ts'

export const contractModules = {
  signUpAndSignIn,
  emailLinks,
  accountSettings,
  people,
  privacySettings,
  followRequests,
  blocks,
  mutesAndRestrictions,
  reports,
  cases,
  groupReports,
  appeals,
  files,
  posts,
  audience,
  groups,
  groupRequests,
  groupMembers,
  conversations,
  messageRequests,
  notifications,
  notificationPreferences,
  realtime,
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

export const apiOperations: readonly Operation[] = Object.values(contractModules).flatMap((noun) =>
  Object.values(noun).filter(isOperation),
)
