/** Every operation of the product. The server, the OpenAPI page and the tests walk this list. */

import * as accountExport from './account-export/account-export.ts'
import * as accountSettings from './account-settings.ts'
import * as audience from './audience/audience.ts'
import * as blocks from './blocks.ts'
import * as conversations from './chat/conversations.ts'
import * as messageRequests from './chat/message-requests.ts'
import * as messageSearch from './chat/message-search.ts'
import * as messages from './chat/messages.ts'
import * as reactions from './chat/reactions.ts'
import * as sharing from './chat/sharing.ts'
import * as comments from './comments/comments.ts'
import * as mentions from './comments/mentions.ts'
import * as community from './community/community.ts'
import * as invitations from './community/invitations.ts'
import * as deletion from './deletion/deletion.ts'
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
import * as namedPeople from './named-people/named-people.ts'
import * as notificationDelivery from './notifications/notification-delivery.ts'
import * as notificationPreferences from './notifications/notification-preferences.ts'
import * as notifications from './notifications/notifications.ts'
import * as push from './notifications/push.ts'
import type { Operation } from './operation.ts'
import * as passkeys from './passkeys/passkeys.ts'
import * as people from './people.ts'
import * as postEdits from './posts/post-edits.ts'
import * as postPreferences from './posts/post-preferences.ts'
import * as postTopics from './posts/post-topics.ts'
import * as posts from './posts.ts'
import * as privacySettings from './privacy-settings.ts'
import * as realtime from './realtime.ts'
import * as signUpAndSignIn from './sign-up-and-sign-in.ts'

export const contractModules = {
  signUpAndSignIn,
  emailLinks,
  community,
  invitations,
  accountSettings,
  accountExport,
  deletion,
  passkeys,
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
  postEdits,
  postPreferences,
  postTopics,
  comments,
  mentions,
  messageSearch,
  namedPeople,
  audience,
  groups,
  groupRequests,
  groupMembers,
  conversations,
  messages,
  messageRequests,
  reactions,
  sharing,
  notifications,
  notificationPreferences,
  notificationDelivery,
  push,
  realtime,
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

export const apiOperations: readonly Operation[] = Object.values(contractModules).flatMap((noun) =>
  Object.values(noun).filter(isOperation),
)
