import * as accountSettings from './account/account-settings.ts'
import * as emailLinks from './account/email-links.ts'
import * as passkeys from './account/passkeys.ts'
import * as providerSignIn from './account/provider-sign-in.ts'
import * as signUpAndSignIn from './account/sign-up-and-sign-in.ts'
import * as instance from './admin/instance.ts'
import * as members from './admin/members.ts'
import * as operatorActs from './admin/operator-acts.ts'
import * as suspensionProposals from './admin/suspension-proposals.ts'
import * as conversations from './chat/conversations.ts'
import * as messageRequests from './chat/message-requests.ts'
import * as messageSearch from './chat/message-search.ts'
import * as messages from './chat/messages.ts'
import * as reactions from './chat/reactions.ts'
import * as shareTargets from './chat/share-targets.ts'
import * as comments from './comments/comments.ts'
import * as mentions from './comments/mentions.ts'
import * as applications from './community/applications.ts'
import * as community from './community/community.ts'
import * as communityIdentity from './community/community-identity.ts'
import * as firstSteps from './community/first-steps.ts'
import * as invitations from './community/invitations.ts'
import * as welcome from './community/welcome.ts'
import * as accountExport from './data-export/account-export.ts'
import * as deletion from './deletion/deletion.ts'
import * as files from './files/files.ts'
import * as groupMembers from './groups/group-members.ts'
import * as groupRequests from './groups/group-requests.ts'
import * as groups from './groups/groups.ts'
import * as cases from './moderation/cases.ts'
import * as groupCases from './moderation/group-cases.ts'
import * as moderationNoticesAndAppeals from './moderation/moderation-notices-and-appeals.ts'
import * as reports from './moderation/reports.ts'
import * as notificationDelivery from './notifications/notification-delivery.ts'
import * as notificationPreferences from './notifications/notification-preferences.ts'
import * as notifications from './notifications/notifications.ts'
import * as push from './notifications/push.ts'
import type { Operation } from './operation.ts'
import * as blocks from './people/blocks.ts'
import * as followRequests from './people/follow-requests.ts'
import * as mutesAndRestrictions from './people/mutes-and-restrictions.ts'
import * as people from './people/people.ts'
import * as privacySettings from './people/privacy-settings.ts'
import * as photoTags from './photo-tags/photo-tags.ts'
import * as audiencePreview from './posts/audience-preview.ts'
import * as postEdits from './posts/post-edits.ts'
import * as postPreferences from './posts/post-preferences.ts'
import * as posts from './posts/posts.ts'
import * as postsByTagOrPlace from './posts/posts-by-tag-or-place.ts'
import * as realtime from './realtime/realtime.ts'

export const contractModules = {
  signUpAndSignIn,
  emailLinks,
  community,
  applications,
  communityIdentity,
  firstSteps,
  invitations,
  members,
  instance,
  operatorActs,
  suspensionProposals,
  welcome,
  accountSettings,
  accountExport,
  deletion,
  passkeys,
  providerSignIn,
  people,
  privacySettings,
  followRequests,
  blocks,
  mutesAndRestrictions,
  reports,
  cases,
  groupCases,
  moderationNoticesAndAppeals,
  files,
  posts,
  postEdits,
  postPreferences,
  postsByTagOrPlace,
  comments,
  mentions,
  messageSearch,
  photoTags,
  audiencePreview,
  groups,
  groupRequests,
  groupMembers,
  conversations,
  messages,
  messageRequests,
  reactions,
  shareTargets,
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
