/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type * as accountSettings from './account-settings.ts'
import type * as appeals from './moderation/appeals.ts'
import type * as audience from './audience/audience.ts'
import type * as blocks from './blocks.ts'
import type * as cases from './moderation/cases.ts'
import type * as conversations from './chat/conversations.ts'
import type * as emailLinks from './email-links.ts'
import type * as files from './files.ts'
import type * as followRequests from './follow-requests.ts'
import type * as groupMembers from './group-members.ts'
import type * as groupReports from './moderation/group-reports.ts'
import type * as groupRequests from './group-requests.ts'
import type * as groups from './groups.ts'
import type * as messageRequests from './chat/message-requests.ts'
import type * as mutesAndRestrictions from './mutes-and-restrictions.ts'
import type * as notificationPreferences from './notifications/notification-preferences.ts'
import type * as notifications from './notifications/notifications.ts'
import type * as people from './people.ts'
import type * as posts from './posts.ts'
import type * as privacySettings from './privacy-settings.ts'
import type * as realtime from './realtime.ts'
import type * as reports from './moderation/reports.ts'
import type * as signUpAndSignIn from './sign-up-and-sign-in.ts'
import type { OperationEndpoint } from './operation.ts'

export const beginAuthenticatorEndpoint: OperationEndpoint<typeof accountSettings.beginAuthenticatorOperation> = { method: 'POST', path: '/me/authenticator' }
export const cancelEmailChangeEndpoint: OperationEndpoint<typeof accountSettings.cancelEmailChangeOperation> = { method: 'DELETE', path: '/me/email' }
export const changePasswordEndpoint: OperationEndpoint<typeof accountSettings.changePasswordOperation> = { method: 'PUT', path: '/me/password' }
export const changeUsernameEndpoint: OperationEndpoint<typeof accountSettings.changeUsernameOperation> = { method: 'PATCH', path: '/me/username' }
export const disconnectIdentityEndpoint: OperationEndpoint<typeof accountSettings.disconnectIdentityOperation> = { method: 'DELETE', path: '/me/identities/:identityId' }
export const endDeviceEndpoint: OperationEndpoint<typeof accountSettings.endDeviceOperation> = { method: 'DELETE', path: '/me/devices/:deviceId' }
export const endOtherDevicesEndpoint: OperationEndpoint<typeof accountSettings.endOtherDevicesOperation> = { method: 'DELETE', path: '/me/devices' }
export const getAccountSettingsEndpoint: OperationEndpoint<typeof accountSettings.getAccountSettingsOperation> = { method: 'GET', path: '/me/settings' }
export const listDevicesEndpoint: OperationEndpoint<typeof accountSettings.listDevicesOperation> = { method: 'GET', path: '/me/devices' }
export const listSecurityEventsEndpoint: OperationEndpoint<typeof accountSettings.listSecurityEventsOperation> = { method: 'GET', path: '/me/log' }
export const proveIdentityEndpoint: OperationEndpoint<typeof accountSettings.proveIdentityOperation> = { method: 'POST', path: '/me/proof' }
export const renewRecoveryCodesEndpoint: OperationEndpoint<typeof accountSettings.renewRecoveryCodesOperation> = { method: 'PUT', path: '/me/recovery-codes' }
export const requestEmailChangeEndpoint: OperationEndpoint<typeof accountSettings.requestEmailChangeOperation> = { method: 'POST', path: '/me/email' }
export const requestEmailConfirmationEndpoint: OperationEndpoint<typeof accountSettings.requestEmailConfirmationOperation> = { method: 'POST', path: '/me/email-confirmation' }
export const turnOffTwoStepsEndpoint: OperationEndpoint<typeof accountSettings.turnOffTwoStepsOperation> = { method: 'DELETE', path: '/me/authenticator' }
export const turnOnTwoStepsEndpoint: OperationEndpoint<typeof accountSettings.turnOnTwoStepsOperation> = { method: 'PUT', path: '/me/authenticator' }
export const appealDecisionEndpoint: OperationEndpoint<typeof appeals.appealDecisionOperation> = { method: 'POST', path: '/me/cases/:caseId/appeal' }
export const appealSuspensionEndpoint: OperationEndpoint<typeof appeals.appealSuspensionOperation> = { method: 'POST', path: '/appeals' }
export const listModerationNoticesEndpoint: OperationEndpoint<typeof appeals.listModerationNoticesOperation> = { method: 'GET', path: '/me/moderation-notices' }
export const readModerationNoticeEndpoint: OperationEndpoint<typeof appeals.readModerationNoticeOperation> = { method: 'POST', path: '/me/moderation-notices/:noticeId/read' }
export const previewAudienceEndpoint: OperationEndpoint<typeof audience.previewAudienceOperation> = { method: 'GET', path: '/audience' }
export const blockMemberEndpoint: OperationEndpoint<typeof blocks.blockMemberOperation> = { method: 'PUT', path: '/people/:personId/block' }
export const listBlocksEndpoint: OperationEndpoint<typeof blocks.listBlocksOperation> = { method: 'GET', path: '/me/blocks' }
export const previewBlockEndpoint: OperationEndpoint<typeof blocks.previewBlockOperation> = { method: 'GET', path: '/people/:personId/block' }
export const setBlockNewerAccountsEndpoint: OperationEndpoint<typeof blocks.setBlockNewerAccountsOperation> = { method: 'PATCH', path: '/me/blocks/:blockId' }
export const unblockMemberEndpoint: OperationEndpoint<typeof blocks.unblockMemberOperation> = { method: 'DELETE', path: '/people/:personId/block' }
export const claimCaseEndpoint: OperationEndpoint<typeof cases.claimCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/claim' }
export const decideAppealEndpoint: OperationEndpoint<typeof cases.decideAppealOperation> = { method: 'POST', path: '/moderation/cases/:caseId/review' }
export const decideCaseEndpoint: OperationEndpoint<typeof cases.decideCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/decision' }
export const enterModerationEndpoint: OperationEndpoint<typeof cases.enterModerationOperation> = { method: 'POST', path: '/moderation/entry' }
export const getCaseEndpoint: OperationEndpoint<typeof cases.getCaseOperation> = { method: 'GET', path: '/moderation/cases/:caseId' }
export const getEvidencePictureEndpoint: OperationEndpoint<typeof cases.getEvidencePictureOperation> = { method: 'GET', path: '/moderation/cases/:caseId/evidence/:place/picture' }
export const listCasesEndpoint: OperationEndpoint<typeof cases.listCasesOperation> = { method: 'GET', path: '/moderation/cases' }
export const releaseCaseEndpoint: OperationEndpoint<typeof cases.releaseCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/release' }
export const countUnreadConversationsEndpoint: OperationEndpoint<typeof conversations.countUnreadConversationsOperation> = { method: 'GET', path: '/me/unread-conversations' }
export const getConversationEndpoint: OperationEndpoint<typeof conversations.getConversationOperation> = { method: 'GET', path: '/conversations/:conversationId' }
export const listConversationsEndpoint: OperationEndpoint<typeof conversations.listConversationsOperation> = { method: 'GET', path: '/conversations' }
export const listMessagesEndpoint: OperationEndpoint<typeof conversations.listMessagesOperation> = { method: 'GET', path: '/conversations/:conversationId/messages' }
export const markConversationReadEndpoint: OperationEndpoint<typeof conversations.markConversationReadOperation> = { method: 'PUT', path: '/conversations/:conversationId/read' }
export const openConversationEndpoint: OperationEndpoint<typeof conversations.openConversationOperation> = { method: 'POST', path: '/conversations' }
export const sendMessageEndpoint: OperationEndpoint<typeof conversations.sendMessageOperation> = { method: 'POST', path: '/conversations/:conversationId/messages' }
export const confirmEmailEndpoint: OperationEndpoint<typeof emailLinks.confirmEmailOperation> = { method: 'PUT', path: '/email-confirmation' }
export const getInstanceInfoEndpoint: OperationEndpoint<typeof emailLinks.getInstanceInfoOperation> = { method: 'GET', path: '/community' }
export const requestPasswordResetEndpoint: OperationEndpoint<typeof emailLinks.requestPasswordResetOperation> = { method: 'POST', path: '/recovery' }
export const requestSignInLinkEndpoint: OperationEndpoint<typeof emailLinks.requestSignInLinkOperation> = { method: 'POST', path: '/sign-in-link' }
export const resetPasswordEndpoint: OperationEndpoint<typeof emailLinks.resetPasswordOperation> = { method: 'PUT', path: '/recovery' }
export const signInByLinkEndpoint: OperationEndpoint<typeof emailLinks.signInByLinkOperation> = { method: 'PUT', path: '/sign-in-link' }
export const undoEmailChangeEndpoint: OperationEndpoint<typeof emailLinks.undoEmailChangeOperation> = { method: 'PUT', path: '/email-undo' }
export const deleteFileEndpoint: OperationEndpoint<typeof files.deleteFileOperation> = { method: 'DELETE', path: '/files/:fileId' }
export const getFileContentEndpoint: OperationEndpoint<typeof files.getFileContentOperation> = { method: 'GET', path: '/files/:fileId/content' }
export const getFileEndpoint: OperationEndpoint<typeof files.getFileOperation> = { method: 'GET', path: '/files/:fileId' }
export const uploadChunkEndpoint: OperationEndpoint<typeof files.uploadChunkOperation> = { method: 'POST', path: '/files/:fileId/chunks' }
export const uploadFileEndpoint: OperationEndpoint<typeof files.uploadFileOperation> = { method: 'POST', path: '/files' }
export const approveFollowRequestEndpoint: OperationEndpoint<typeof followRequests.approveFollowRequestOperation> = { method: 'POST', path: '/me/follow-requests/:requestId/approve' }
export const countFollowRequestsEndpoint: OperationEndpoint<typeof followRequests.countFollowRequestsOperation> = { method: 'GET', path: '/me/follow-requests/count' }
export const declineFollowRequestEndpoint: OperationEndpoint<typeof followRequests.declineFollowRequestOperation> = { method: 'POST', path: '/me/follow-requests/:requestId/decline' }
export const listFollowRequestsEndpoint: OperationEndpoint<typeof followRequests.listFollowRequestsOperation> = { method: 'GET', path: '/me/follow-requests' }
export const getGroupMembershipEndpoint: OperationEndpoint<typeof groupMembers.getGroupMembershipOperation> = { method: 'GET', path: '/groups/:groupId/membership' }
export const handOverGroupEndpoint: OperationEndpoint<typeof groupMembers.handOverGroupOperation> = { method: 'PUT', path: '/groups/:groupId/admin' }
export const leaveGroupEndpoint: OperationEndpoint<typeof groupMembers.leaveGroupOperation> = { method: 'DELETE', path: '/groups/:groupId/membership' }
export const listGroupMembersEndpoint: OperationEndpoint<typeof groupMembers.listGroupMembersOperation> = { method: 'GET', path: '/groups/:groupId/members' }
export const removeGroupMemberEndpoint: OperationEndpoint<typeof groupMembers.removeGroupMemberOperation> = { method: 'DELETE', path: '/groups/:groupId/members/:memberId' }
export const takeGroupPostsAlongEndpoint: OperationEndpoint<typeof groupMembers.takeGroupPostsAlongOperation> = { method: 'POST', path: '/groups/:groupId/take-along' }
export const decideGroupReportEndpoint: OperationEndpoint<typeof groupReports.decideGroupReportOperation> = { method: 'POST', path: '/groups/:groupId/reports/:caseId' }
export const getGroupReportEndpoint: OperationEndpoint<typeof groupReports.getGroupReportOperation> = { method: 'GET', path: '/groups/:groupId/reports/:caseId' }
export const getGroupReportPictureEndpoint: OperationEndpoint<typeof groupReports.getGroupReportPictureOperation> = { method: 'GET', path: '/groups/:groupId/reports/:caseId/evidence/:place/picture' }
export const listGroupReportsEndpoint: OperationEndpoint<typeof groupReports.listGroupReportsOperation> = { method: 'GET', path: '/groups/:groupId/reports' }
export const approveJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.approveJoinRequestOperation> = { method: 'POST', path: '/group-requests/:requestId/approve' }
export const getLatestJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.getLatestJoinRequestOperation> = { method: 'GET', path: '/groups/:groupId/requests/latest' }
export const listPendingJoinRequestsEndpoint: OperationEndpoint<typeof groupRequests.listPendingJoinRequestsOperation> = { method: 'GET', path: '/group-requests' }
export const rejectJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.rejectJoinRequestOperation> = { method: 'POST', path: '/group-requests/:requestId/reject' }
export const requestToJoinEndpoint: OperationEndpoint<typeof groupRequests.requestToJoinOperation> = { method: 'POST', path: '/groups/:groupId/requests' }
export const withdrawJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.withdrawJoinRequestOperation> = { method: 'DELETE', path: '/group-requests/:requestId' }
export const createGroupEndpoint: OperationEndpoint<typeof groups.createGroupOperation> = { method: 'POST', path: '/groups' }
export const deleteGroupEndpoint: OperationEndpoint<typeof groups.deleteGroupOperation> = { method: 'DELETE', path: '/groups/:groupId' }
export const getGroupEndpoint: OperationEndpoint<typeof groups.getGroupOperation> = { method: 'GET', path: '/groups/:groupId' }
export const listGroupPostsEndpoint: OperationEndpoint<typeof groups.listGroupPostsOperation> = { method: 'GET', path: '/groups/:groupId/posts' }
export const listGroupsEndpoint: OperationEndpoint<typeof groups.listGroupsOperation> = { method: 'GET', path: '/groups' }
export const listMyGroupsEndpoint: OperationEndpoint<typeof groups.listMyGroupsOperation> = { method: 'GET', path: '/me/groups' }
export const listMyGroupsPostsEndpoint: OperationEndpoint<typeof groups.listMyGroupsPostsOperation> = { method: 'GET', path: '/me/groups/posts' }
export const searchGroupsEndpoint: OperationEndpoint<typeof groups.searchGroupsOperation> = { method: 'GET', path: '/search/groups' }
export const updateGroupEndpoint: OperationEndpoint<typeof groups.updateGroupOperation> = { method: 'PATCH', path: '/groups/:groupId' }
export const acceptMessageRequestEndpoint: OperationEndpoint<typeof messageRequests.acceptMessageRequestOperation> = { method: 'POST', path: '/conversations/:conversationId/accept' }
export const countMessageRequestsEndpoint: OperationEndpoint<typeof messageRequests.countMessageRequestsOperation> = { method: 'GET', path: '/me/message-requests/count' }
export const declineMessageRequestEndpoint: OperationEndpoint<typeof messageRequests.declineMessageRequestOperation> = { method: 'POST', path: '/conversations/:conversationId/decline' }
export const listMessageRequestsEndpoint: OperationEndpoint<typeof messageRequests.listMessageRequestsOperation> = { method: 'GET', path: '/message-requests' }
export const getMuteEndpoint: OperationEndpoint<typeof mutesAndRestrictions.getMuteOperation> = { method: 'GET', path: '/people/:personId/mute' }
export const getRestrictionEndpoint: OperationEndpoint<typeof mutesAndRestrictions.getRestrictionOperation> = { method: 'GET', path: '/people/:personId/restriction' }
export const listMutedMembersEndpoint: OperationEndpoint<typeof mutesAndRestrictions.listMutedMembersOperation> = { method: 'GET', path: '/me/mutes' }
export const listRestrictedMembersEndpoint: OperationEndpoint<typeof mutesAndRestrictions.listRestrictedMembersOperation> = { method: 'GET', path: '/me/restrictions' }
export const muteMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.muteMemberOperation> = { method: 'PUT', path: '/people/:personId/mute' }
export const restrictMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.restrictMemberOperation> = { method: 'PUT', path: '/people/:personId/restriction' }
export const unmuteMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.unmuteMemberOperation> = { method: 'DELETE', path: '/people/:personId/mute' }
export const unrestrictMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.unrestrictMemberOperation> = { method: 'DELETE', path: '/people/:personId/restriction' }
export const getNotificationPreferencesEndpoint: OperationEndpoint<typeof notificationPreferences.getNotificationPreferencesOperation> = { method: 'GET', path: '/me/notification-preferences' }
export const updateNotificationPreferencesEndpoint: OperationEndpoint<typeof notificationPreferences.updateNotificationPreferencesOperation> = { method: 'PATCH', path: '/me/notification-preferences' }
export const countNotificationsEndpoint: OperationEndpoint<typeof notifications.countNotificationsOperation> = { method: 'GET', path: '/notifications/counts' }
export const listNotificationsEndpoint: OperationEndpoint<typeof notifications.listNotificationsOperation> = { method: 'GET', path: '/notifications' }
export const markNotificationsReadEndpoint: OperationEndpoint<typeof notifications.markNotificationsReadOperation> = { method: 'PUT', path: '/notifications/read' }
export const markNotificationsSeenEndpoint: OperationEndpoint<typeof notifications.markNotificationsSeenOperation> = { method: 'PUT', path: '/notifications/seen' }
export const followEndpoint: OperationEndpoint<typeof people.followOperation> = { method: 'PUT', path: '/people/:personId/follow' }
export const getInitialsEndpoint: OperationEndpoint<typeof people.getInitialsOperation> = { method: 'GET', path: '/people/avatars/initials' }
export const getPersonEndpoint: OperationEndpoint<typeof people.getPersonOperation> = { method: 'GET', path: '/people/:personId' }
export const isFollowingEndpoint: OperationEndpoint<typeof people.isFollowingOperation> = { method: 'GET', path: '/people/:personId/follow' }
export const listFollowersEndpoint: OperationEndpoint<typeof people.listFollowersOperation> = { method: 'GET', path: '/people/:personId/followers' }
export const listFollowingEndpoint: OperationEndpoint<typeof people.listFollowingOperation> = { method: 'GET', path: '/people/:personId/following' }
export const listPeopleEndpoint: OperationEndpoint<typeof people.listPeopleOperation> = { method: 'GET', path: '/people' }
export const removeFollowerEndpoint: OperationEndpoint<typeof people.removeFollowerOperation> = { method: 'DELETE', path: '/me/followers/:personId' }
export const searchPeopleEndpoint: OperationEndpoint<typeof people.searchPeopleOperation> = { method: 'GET', path: '/search/people' }
export const unfollowEndpoint: OperationEndpoint<typeof people.unfollowOperation> = { method: 'DELETE', path: '/people/:personId/follow' }
export const updateProfileEndpoint: OperationEndpoint<typeof people.updateProfileOperation> = { method: 'PATCH', path: '/people/:personId' }
export const createPostEndpoint: OperationEndpoint<typeof posts.createPostOperation> = { method: 'POST', path: '/posts' }
export const deletePostEndpoint: OperationEndpoint<typeof posts.deletePostOperation> = { method: 'DELETE', path: '/posts/:postId' }
export const explorePostsEndpoint: OperationEndpoint<typeof posts.explorePostsOperation> = { method: 'GET', path: '/explore' }
export const getHomeFeedEndpoint: OperationEndpoint<typeof posts.getHomeFeedOperation> = { method: 'GET', path: '/feed' }
export const getPostEndpoint: OperationEndpoint<typeof posts.getPostOperation> = { method: 'GET', path: '/posts/:postId' }
export const likePostEndpoint: OperationEndpoint<typeof posts.likePostOperation> = { method: 'PUT', path: '/posts/:postId/like' }
export const listLikedPostsEndpoint: OperationEndpoint<typeof posts.listLikedPostsOperation> = { method: 'GET', path: '/liked' }
export const listLikersEndpoint: OperationEndpoint<typeof posts.listLikersOperation> = { method: 'GET', path: '/posts/:postId/likers' }
export const listPersonPostsEndpoint: OperationEndpoint<typeof posts.listPersonPostsOperation> = { method: 'GET', path: '/people/:personId/posts' }
export const listSavedPostsEndpoint: OperationEndpoint<typeof posts.listSavedPostsOperation> = { method: 'GET', path: '/saved' }
export const savePostEndpoint: OperationEndpoint<typeof posts.savePostOperation> = { method: 'PUT', path: '/posts/:postId/save' }
export const searchPostsEndpoint: OperationEndpoint<typeof posts.searchPostsOperation> = { method: 'GET', path: '/search/posts' }
export const takePostAlongEndpoint: OperationEndpoint<typeof posts.takePostAlongOperation> = { method: 'POST', path: '/posts/:postId/take-along' }
export const unlikePostEndpoint: OperationEndpoint<typeof posts.unlikePostOperation> = { method: 'DELETE', path: '/posts/:postId/like' }
export const unsavePostEndpoint: OperationEndpoint<typeof posts.unsavePostOperation> = { method: 'DELETE', path: '/posts/:postId/save' }
export const updatePostEndpoint: OperationEndpoint<typeof posts.updatePostOperation> = { method: 'PATCH', path: '/posts/:postId' }
export const getPrivacySettingsEndpoint: OperationEndpoint<typeof privacySettings.getPrivacySettingsOperation> = { method: 'GET', path: '/me/privacy' }
export const updatePrivacySettingsEndpoint: OperationEndpoint<typeof privacySettings.updatePrivacySettingsOperation> = { method: 'PATCH', path: '/me/privacy' }
export const catchUpEndpoint: OperationEndpoint<typeof realtime.catchUpOperation> = { method: 'GET', path: '/live/changes' }
export const createReportEndpoint: OperationEndpoint<typeof reports.createReportOperation> = { method: 'POST', path: '/reports' }
export const listMyReportsEndpoint: OperationEndpoint<typeof reports.listMyReportsOperation> = { method: 'GET', path: '/me/reports' }
export const completeSecondStepEndpoint: OperationEndpoint<typeof signUpAndSignIn.completeSecondStepOperation> = { method: 'PUT', path: '/sessions/current/second-step' }
export const getCurrentMemberEndpoint: OperationEndpoint<typeof signUpAndSignIn.getCurrentMemberOperation> = { method: 'GET', path: '/me' }
export const getCurrentSessionEndpoint: OperationEndpoint<typeof signUpAndSignIn.getCurrentSessionOperation> = { method: 'GET', path: '/me/session' }
export const signInEndpoint: OperationEndpoint<typeof signUpAndSignIn.signInOperation> = { method: 'POST', path: '/sessions' }
export const signOutEndpoint: OperationEndpoint<typeof signUpAndSignIn.signOutOperation> = { method: 'DELETE', path: '/sessions/current' }
export const signUpEndpoint: OperationEndpoint<typeof signUpAndSignIn.signUpOperation> = { method: 'POST', path: '/members' }
